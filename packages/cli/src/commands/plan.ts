import type { CommandModule } from 'yargs';
import { planCheckCommand } from './plan-check.ts';

/** `ibench plan`: the commands that take a plan's file. */
export const planCommand: CommandModule = {
  command: 'plan',
  describe: 'Check plans: matrices of runs over builds, configurations and workloads',
  builder: (yargs) => yargs.command(planCheckCommand).demandCommand(1, 'Expected: check'),
  handler: () => {},
};
