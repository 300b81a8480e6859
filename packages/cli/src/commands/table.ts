import path from 'node:path';
import { UsageError } from '@ibench/core';
import { buildReport, FORMATS, type Format, render } from '@ibench/report';
import { closeStore, listRuns, loadRuns, openStore } from '@ibench/store';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { printResult, wantsColour } from '../environment.ts';
import { STORE_NAME } from '../paths.ts';
import { STORE_OPTIONS } from './run-options.ts';

const TABLE_OPTIONS = {
  ...STORE_OPTIONS,
  run: {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'run id or tag (repeatable; default: all runs)',
  },
  base: { type: 'string', describe: 'tag that the others are compared with (default: the first)' },
  step: {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'only these steps (repeatable)',
  },
  format: { choices: FORMATS, default: 'text' as Format, describe: 'how to print' },
} as const satisfies Record<string, Options>;

/** `ibench table`: the tables of runs in a store. */
export const tableCommand: CommandModule<object, InferredOptionTypes<typeof TABLE_OPTIONS>> = {
  command: 'table',
  describe: 'Print the tables of the runs in a store',
  builder: (yargs) =>
    yargs
      .options(TABLE_OPTIONS)
      .example('ibench table', 'all runs')
      .example('ibench table --base pg17.9.base --step l.i1', 'one step, against a base')
      .example('ibench table --format csv > tables.csv', 'for other programs'),
  handler: async (args) => {
    const store = openStore(path.resolve(args.db ?? path.join(args.runsDir, STORE_NAME)), {
      readonly: true,
    });
    try {
      const runs = loadRuns(store, { runIds: chosenRuns(args.run, listRuns(store)) });
      const report = {
        ...(args.base === undefined ? {} : { base: args.base }),
        ...(args.step.length === 0 ? {} : { steps: args.step }),
      };
      await printResult(render(buildReport(runs, report), args.format, { colour: wantsColour() }));
    } finally {
      closeStore(store);
    }
  },
};

/** Ids of the runs that were named by id or tag; all when none was. */
function chosenRuns(
  names: readonly string[],
  runs: readonly { runId: string; tag: string }[],
): string[] {
  if (names.length === 0) return runs.map(({ runId }) => runId);
  return names.flatMap((name) => {
    const found = runs.filter(({ runId, tag }) => runId === name || tag === name);
    if (found.length > 0) return found.map(({ runId }) => runId);
    const known = runs.map(({ runId, tag }) => `${runId} (${tag})`).join(', ') || 'none';
    throw new UsageError(`--run ${name}: no such run or tag (runs: ${known})`);
  });
}
