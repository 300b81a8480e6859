import { buildSweep, render } from '@ibench/report';
import type { CommandModule, InferredOptionTypes } from 'yargs';
import { printResult, wantsColour } from '../environment.ts';
import { loadComparedRuns, refuseSurprises } from '../load-report.ts';
import { reportOptions, TABLE_OPTIONS } from './table-options.ts';
import { withStore } from './with-store.ts';

/** `ibench sweep-summary`: which configurations or builds of a sweep are better, worse, and why. */
export const sweepSummaryCommand: CommandModule<
  object,
  InferredOptionTypes<typeof TABLE_OPTIONS>
> = {
  command: 'sweep-summary',
  describe: 'Tell which configurations or builds are faster or slower than a base, and why',
  builder: (yargs) =>
    yargs
      .options(TABLE_OPTIONS)
      .example('ibench sweep-summary --base pg18.4.base', 'all runs against one, the best first')
      .example('ibench sweep-summary --step l.i1 --step qr100', 'two steps only')
      .example(
        'ibench sweep-summary --strict --format md > sweep.md',
        'only if nothing else differs',
      )
      .epilogue(
        'Medians over repeats, with the slowest and fastest repeat. Steps that missed the SLA get no verdict. Runs of different workloads or numbers of clients are in tables of their own.',
      ),
  handler: (args) =>
    withStore(args, async (store) => {
      const { runs, comparability } = loadComparedRuns(store, args.run);
      if (args.strict) refuseSurprises(comparability);
      const tables = buildSweep(runs, comparability, reportOptions(args));
      await printResult(render(tables, args.format, { colour: wantsColour() }));
    }),
};
