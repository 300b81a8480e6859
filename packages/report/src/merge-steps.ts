import { blockCell, wordColumn } from './cell.ts';
import type { Table } from './table.ts';

/** What the notes of the metrics say of one step, said of all. */
const NOTES: Readonly<Record<string, string>> = {
  metrics:
    '…pq: per insert, l.x: per row indexed, q*: per query; …pi: per insert; cpups: %; cpupq: µs; dbgb1, dbgb2, rss: GB; maxop: s; p50, p99: rate that 50%, 99% of the seconds reach',
};

/**
 * The tables of single steps, put together by their id with the step as first column. For one run this is
 * what a person wants to see: its steps below each other instead of forty tables of a line each.
 */
export function mergeSteps(tables: readonly Table[]): Table[] {
  const ids = [...new Set(tables.map(({ id }) => id))];
  return ids.map((id) => mergeTables(tables.filter((table) => table.id === id)));
}

function mergeTables(parts: readonly Table[]): Table {
  const first = parts[0] as Table;
  const title = first.title.replace(`${first.step}: `, '');
  return {
    ...first,
    step: null,
    title: title.charAt(0).toUpperCase() + title.slice(1),
    note: NOTES[first.id] ?? first.note,
    columns: [wordColumn('step'), ...first.columns],
    rows: parts.flatMap(({ step, rows }) =>
      rows.map(({ cells }, i) => ({ cells: [blockCell(step ?? '', i === 0), ...cells] })),
    ),
    footnotes: [...new Set(parts.flatMap(({ footnotes }) => footnotes))],
  };
}
