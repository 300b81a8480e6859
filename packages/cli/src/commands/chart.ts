import { UsageError } from '@ibench/core';
import { chartNames, drawChosenChart } from '@ibench/html';
import { reportRows, reportSteps } from '@ibench/report';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { printResult } from '../environment.ts';
import { evidenceOf } from '../evidence.ts';
import { loadRunsNamed } from '../load-report.ts';
import { namedRuns } from '../plan-runs.ts';
import { writeResult } from '../write-result.ts';
import { STORE_OPTIONS } from './run-options.ts';
import { withStore } from './with-store.ts';

const NARROWEST = 280;
const WIDEST = 4000;

const CHART_OPTIONS = {
  ...STORE_OPTIONS,
  run: {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'run id or tag (repeatable; default: all runs)',
  },
  plan: { type: 'string', requiresArg: true, describe: 'the runs of this plan' },
  base: { type: 'string', describe: 'tag that is drawn as the base (default: the first)' },
  step: {
    type: 'string',
    requiresArg: true,
    describe: 'step to draw (default: charts over all steps)',
  },
  chart: {
    type: 'string',
    requiresArg: true,
    describe: 'chart to draw; without: list their names',
  },
  overlay: {
    type: 'boolean',
    default: false,
    describe: 'lines of all rows in one panel instead of a panel each',
  },
  from: { type: 'number', requiresArg: true, describe: 'first second to draw' },
  to: { type: 'number', requiresArg: true, describe: 'last second to draw' },
  width: { type: 'number', default: 900, requiresArg: true, describe: 'pixels' },
  theme: {
    choices: ['auto', 'light', 'dark'] as const,
    default: 'light' as const,
    describe: 'colours; auto follows the reader, where its program can',
  },
  out: { type: 'string', requiresArg: true, describe: 'file to write (default: standard output)' },
} as const satisfies Record<string, Options>;

type ChartArguments = InferredOptionTypes<typeof CHART_OPTIONS>;

/** `ibench chart`: one chart of a report as an SVG file. */
export const chartCommand: CommandModule<object, ChartArguments> = {
  command: 'chart',
  describe: 'Write one chart of the runs in a store as SVG',
  builder: (yargs) =>
    yargs
      .options(CHART_OPTIONS)
      .example('ibench chart --step l.i1', 'which charts of a step there are')
      .example('ibench chart --chart relative --out relative.svg', 'the change in all steps')
      .example('ibench chart --step l.i1 --chart insert-rate --out l.i1.svg', 'one of them')
      .example(
        'ibench chart --step qr100 --chart query-rate --overlay --from 10 --to 30',
        'zoomed',
      ),
  handler: async (args) => {
    const range = checkView(args);
    await withStore(args, async (store) => {
      const runs = loadRunsNamed(store, namedRuns(store, args));
      const { step = null } = args;
      const steps = reportSteps(runs, step === null ? undefined : [step]);
      const rows = reportRows(runs, args.base);
      const choice = { step, steps, rows, evidence: evidenceOf(store) };
      if (args.chart === undefined) {
        await printResult(
          chartNames(choice)
            .map((name) => `${name}\n`)
            .join(''),
        );
        return;
      }
      const { width, overlay, theme } = args;
      const view = { width, overlay, range, hidden: new Set<number>() };
      const svg = drawChosenChart({ ...choice, name: args.chart }, view, theme);
      await writeResult(args.out ?? '-', svg);
    });
  },
};

/** The seconds to draw; null: all. */
function checkView({ width, from, to }: ChartArguments): readonly [number, number] | null {
  if (!(width >= NARROWEST && width <= WIDEST)) {
    throw new UsageError(`--width ${width}: expected ${NARROWEST} to ${WIDEST} pixels`);
  }
  if (from === undefined && to === undefined) return null;
  if (from === undefined || to === undefined || !(from >= 0 && from < to)) {
    throw new UsageError('expected --from and --to together, the first smaller');
  }
  return [from, to];
}
