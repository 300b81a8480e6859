import { buildReport, render } from '@ibench/report';
import type { CommandModule, InferredOptionTypes } from 'yargs';
import { printResult, wantsColour } from '../environment.ts';
import { loadComparedRuns, refuseSurprises } from '../load-report.ts';
import { reportOptions, TABLE_OPTIONS } from './table-options.ts';
import { withStore } from './with-store.ts';

/** `ibench table`: the tables of runs in a store. */
export const tableCommand: CommandModule<object, InferredOptionTypes<typeof TABLE_OPTIONS>> = {
  command: 'table',
  describe: 'Print the tables of the runs in a store',
  builder: (yargs) =>
    yargs
      .options(TABLE_OPTIONS)
      .example('ibench table', 'all runs')
      .example('ibench table --base pg17.9.base --step l.i1', 'one step, against a base')
      .example('ibench table --strict', 'only if the runs differ in nothing but what is under test')
      .example('ibench table --format csv > tables.csv', 'for other programs'),
  handler: (args) =>
    withStore(args, async (store) => {
      const { runs, comparability } = loadComparedRuns(store, args.run);
      if (args.strict) refuseSurprises(comparability);
      const tables = buildReport(runs, { ...reportOptions(args), comparability });
      await printResult(render(tables, args.format, { colour: wantsColour() }));
    }),
};
