import type { CommandModule } from 'yargs';
import { planCheckCommand } from './plan-check.ts';
import { planResumeCommand, planRunCommand } from './plan-run.ts';
import { planStatusCommand } from './plan-status.ts';

/** `ibench plan`: the commands that take a plan's file. */
export const planCommand: CommandModule = {
  command: 'plan',
  describe: 'Check and run plans: matrices of runs over builds, configurations and workloads',
  builder: (yargs) =>
    yargs
      .command(planCheckCommand)
      .command(planRunCommand)
      .command(planResumeCommand)
      .command(planStatusCommand)
      .demandCommand(1, 'Expected: check, run, resume or status'),
  handler: () => {},
};
