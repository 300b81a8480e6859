import { type RunRecord, UsageError } from '@ibench/core';
import {
  buildComparison,
  FORMATS,
  type Format,
  lastAttempts,
  render,
  type Side,
} from '@ibench/report';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { printResult, wantsColour } from '../environment.ts';
import { loadComparedRuns, refuseSurprises, runsNamed } from '../load-report.ts';
import { STORE_OPTIONS } from './run-options.ts';
import { TABLE_OPTIONS } from './table-options.ts';
import { withStore } from './with-store.ts';

const COMPARE_OPTIONS = {
  ...STORE_OPTIONS,
  step: TABLE_OPTIONS.step,
  strict: TABLE_OPTIONS.strict,
  format: { choices: FORMATS, default: 'text' as Format, describe: 'how to print' },
} as const satisfies Record<string, Options>;

type CompareArguments = InferredOptionTypes<typeof COMPARE_OPTIONS> & { a: string; b: string };

/** `ibench compare A B`: two runs or two tags in every step and metric. */
export const compareCommand: CommandModule<object, CompareArguments> = {
  command: 'compare <a> <b>',
  describe: 'Compare two runs, or the repeats of two tags, in every step and metric',
  builder: (yargs) =>
    yargs
      .positional('a', { type: 'string', demandOption: true, describe: 'the base: run id or tag' })
      .positional('b', { type: 'string', demandOption: true, describe: 'what is compared with it' })
      .options(COMPARE_OPTIONS)
      .example('ibench compare pg17.9.base pg18.4.base', 'two tags, over all their repeats')
      .example('ibench compare pg17.9.base pg18.4.base --step l.i1', 'one step')
      .example('ibench compare 20261130-160241-d404 20261130-161502-77aa', 'two runs')
      .epilogue(
        'The unit is the repeat: below four repeats on each side (or three and five) no difference can be told from noise by the repeats alone.',
      ),
  handler: ({ a, b, step, strict, format, ...place }) =>
    withStore(place, async (store) => {
      const { runs, comparability } = loadComparedRuns(store, [a, b]);
      if (strict) refuseSurprises(comparability);
      const sides = { a: named(a, runs), b: named(b, runs) };
      if (sides.a.runs.some((run) => sides.b.runs.includes(run))) {
        throw new UsageError(
          `${a} and ${b} have runs in common: expected two different runs or tags`,
        );
      }
      const tables = buildComparison(sides, comparability, step.length === 0 ? undefined : step);
      await printResult(render(tables, format, { colour: wantsColour() }));
    }),
};

function named(name: string, runs: readonly RunRecord[]): Side {
  const found = runsNamed(name, runs);
  const isId = found.some(({ runId }) => runId === name);
  return {
    name: isId ? name : (found[0]?.tag ?? name),
    runs: isId ? found : lastAttempts(found),
  };
}
