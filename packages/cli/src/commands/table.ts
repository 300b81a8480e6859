import { UsageError } from '@ibench/core';
import { buildReport, emptyTables, render, TABLE_IDS, type TableId } from '@ibench/report';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { humanTerminal, printResult, wantsColour } from '../environment.ts';
import { loadComparedRuns, refuseSurprises } from '../load-report.ts';
import { reportOptions, TABLE_OPTIONS } from './table-options.ts';
import { withStore } from './with-store.ts';

const CHOICE_OPTIONS = {
  table: {
    choices: TABLE_IDS,
    array: true,
    nargs: 1,
    default: [] as TableId[],
    describe:
      'only these tables (repeatable; default: those without settings, waits, debt, dead_share, sampling)',
  },
  all: { type: 'boolean', default: false, describe: 'all tables' },
} as const satisfies Record<string, Options>;

/** `ibench table`: the tables of runs in a store. */
export const tableCommand: CommandModule<
  object,
  InferredOptionTypes<typeof TABLE_OPTIONS & typeof CHOICE_OPTIONS>
> = {
  command: 'table',
  describe: 'Print the tables of the runs in a store',
  builder: (yargs) =>
    yargs
      .options(TABLE_OPTIONS)
      .options(CHOICE_OPTIONS)
      .example('ibench table', 'all runs')
      .example('ibench table --base pg17.9.base --step l.i1', 'one step, against a base')
      .example('ibench table --table waits', 'what the backends waited for')
      .example('ibench table --table settings', 'in what each tag differs from the base')
      .example('ibench table --strict', 'only if the runs differ in nothing but what is under test')
      .example('ibench table --format csv > tables.csv', 'for other programs'),
  handler: (args) =>
    withStore(args, async (store) => {
      const { runs, comparability } = loadComparedRuns(store, args.run);
      if (args.strict) refuseSurprises(comparability);
      const tables = buildReport(runs, {
        ...reportOptions(args),
        comparability,
        tables: chosenTables(args),
      });
      const empty = runs.length === 0 ? [] : emptyTables(args.table, tables);
      const notes = empty.map((line) => `${line}\n`).join('');
      const isForPeople = args.format === 'text' || args.format === 'md';
      if (!isForPeople) humanTerminal().write(notes);
      // Without any table the notes stand for it where people read it; a program gets an empty list.
      if (!isForPeople || tables.length > 0 || empty.length === 0) {
        await printResult(render(tables, args.format, { colour: wantsColour() }));
      }
      if (isForPeople)
        await printResult(notes === '' || tables.length === 0 ? notes : `\n${notes}`);
    }),
};

function chosenTables({
  table,
  all,
}: {
  readonly table: readonly TableId[];
  readonly all: boolean;
}): readonly TableId[] | 'all' | undefined {
  if (all && table.length > 0) throw new UsageError('--all and --table: give one of the two');
  if (all) return 'all';
  return table.length === 0 ? undefined : table;
}
