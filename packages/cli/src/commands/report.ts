import { UsageError } from '@ibench/core';
import { buildPage } from '@ibench/html';
import { buildReport, reportSteps } from '@ibench/report';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { evidenceOf } from '../evidence.ts';
import { loadComparedRuns, refuseSurprises } from '../load-report.ts';
import { namedRuns } from '../plan-runs.ts';
import { writeResult } from '../write-result.ts';
import { CHOICE_OPTIONS, reportOptions } from './table-options.ts';
import { withStore } from './with-store.ts';

const REPORT_OPTIONS = {
  ...CHOICE_OPTIONS,
  plan: { type: 'string', requiresArg: true, describe: 'the runs of this plan' },
  out: {
    type: 'string',
    demandOption: true,
    requiresArg: true,
    describe: 'file to write; - is standard output',
  },
} as const satisfies Record<string, Options>;

/** `ibench report`: tables and charts of runs as one HTML file. */
export const reportCommand: CommandModule<object, InferredOptionTypes<typeof REPORT_OPTIONS>> = {
  command: 'report',
  describe: 'Write tables and charts of the runs in a store as one HTML file',
  builder: (yargs) =>
    yargs
      .options(REPORT_OPTIONS)
      .example('ibench report --out report.html', 'all runs')
      .example('ibench report --run before --run after --base before --out x.html', 'two of them')
      .example('ibench report --plan nightly --out nightly.html', 'the runs of a plan')
      .example('ibench report --step l.i1 --out - | gzip > l.i1.html.gz', 'one step, to a pipe'),
  handler: (args) =>
    withStore(args, async (store) => {
      const { runs, comparability } = loadComparedRuns(store, namedRuns(store, args));
      if (runs.length === 0) {
        throw new UsageError(`${store.path} has no runs yet: there is nothing to report`);
      }
      if (args.strict) refuseSurprises(comparability);
      const options = {
        ...reportOptions(args),
        comparability,
        apart: true,
        tables: 'all' as const,
      };
      const html = buildPage({
        runs,
        base: options.base,
        tables: buildReport(runs, options),
        steps: reportSteps(runs, options.steps),
        evidence: evidenceOf(store),
      });
      await writeResult(args.out, html);
    }),
};
