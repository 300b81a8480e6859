import { UsageError } from '@ibench/core';
import { buildPage, buildSummary, type PageInput } from '@ibench/html';
import { buildReport, reportSteps } from '@ibench/report';
import type { Store } from '@ibench/store';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { checkTarget } from '../check-target.ts';
import { evidenceOf } from '../evidence.ts';
import { loadComparedRuns, refuseSurprises } from '../load-report.ts';
import { namedRuns } from '../plan-runs.ts';
import { writeCharts } from '../write-charts.ts';
import { writeResult } from '../write-result.ts';
import { CHOICE_OPTIONS, reportOptions } from './table-options.ts';
import { withStore } from './with-store.ts';

const REPORT_OPTIONS = {
  ...CHOICE_OPTIONS,
  plan: { type: 'string', requiresArg: true, describe: 'the runs of this plan' },
  out: { type: 'string', requiresArg: true, describe: 'HTML file to write; - is standard output' },
  summary: {
    type: 'string',
    requiresArg: true,
    describe: 'markdown file to write: what changed, and the tables over all steps',
  },
  svg: {
    type: 'string',
    requiresArg: true,
    describe: 'folder to write every chart to, as <step>.<chart>.svg',
  },
} as const satisfies Record<string, Options>;

type ReportArguments = InferredOptionTypes<typeof REPORT_OPTIONS>;

/** `ibench report`: tables and charts of runs as one HTML file, their summary as markdown, the charts as files. */
export const reportCommand: CommandModule<object, ReportArguments> = {
  command: 'report',
  describe: 'Write tables and charts of the runs in a store as one HTML file',
  builder: (yargs) =>
    yargs
      .options(REPORT_OPTIONS)
      .example('ibench report --out report.html', 'all runs')
      .example('ibench report --run before --run after --base before --out x.html', 'two of them')
      .example('ibench report --plan nightly --out nightly.html', 'the runs of a plan')
      .example('ibench report --base before --summary post.md --svg charts', 'for a text of yours')
      .example('ibench report --step l.i1 --out - | gzip > l.i1.html.gz', 'one step, to a pipe'),
  handler: (args) => {
    checkTargets(args);
    return withStore(args, (store) => write(args, pageInput(store, args)));
  },
};

function checkTargets({ out, summary, svg }: ReportArguments): void {
  if (out === undefined && summary === undefined && svg === undefined) {
    throw new UsageError('nothing to write: expected --out FILE, --summary FILE or --svg FOLDER');
  }
  if (out !== undefined && out === summary) {
    throw new UsageError(`--out and --summary are both ${out}: expected two files`);
  }
  if (out !== undefined && out !== '-') checkTarget('--out', out, 'file');
  if (summary !== undefined && summary !== '-') checkTarget('--summary', summary, 'file');
  if (svg !== undefined) checkTarget('--svg', svg, 'folder');
}

function pageInput(store: Store, args: ReportArguments): PageInput {
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
  return {
    runs,
    base: options.base,
    tables: buildReport(runs, options),
    steps: reportSteps(runs, options.steps),
    evidence: evidenceOf(store),
  };
}

async function write({ out, summary, svg }: ReportArguments, input: PageInput): Promise<void> {
  if (out !== undefined) await writeResult(out, buildPage(input));
  if (summary !== undefined) await writeResult(summary, buildSummary(input));
  if (svg !== undefined) await writeCharts(svg, input);
}
