import { FORMATS, type Format, render } from '@ibench/report';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { printResult, wantsColour } from '../environment.ts';
import { loadPlan } from '../plan/load-plan.ts';
import { planTables } from '../plan/plan-tables.ts';

const CHECK_OPTIONS = {
  format: { choices: FORMATS, default: 'text' as Format, describe: 'how to print' },
} as const satisfies Record<string, Options>;

type CheckArguments = InferredOptionTypes<typeof CHECK_OPTIONS> & { readonly file: string };

/** `ibench plan check`: everything about a plan that can be known without running it. */
export const planCheckCommand: CommandModule<object, CheckArguments> = {
  command: 'check <file>',
  describe: 'Check a plan, and print its cells and the order of its runs',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'plan (YAML)' })
      .options(CHECK_OPTIONS)
      .example('ibench plan check configs/plans/nightly.yaml', 'a plan that comes with the tool')
      .example('ibench plan check my.yaml --format json', 'for other programs'),
  handler: async ({ file, format }) => {
    const loaded = await loadPlan(file);
    await printResult(render(planTables(loaded), format, { colour: wantsColour() }));
  },
};
