import { stringify } from 'csv-stringify/sync';
import type { Cell, Table } from './table.ts';

/**
 * Tables as CSV, or TSV with `delimiter` tab (RFC 4180 quoting in both), at full precision.
 *
 * Tables of one id (`metrics` of every step) are one section: a header line, then a record per row,
 * led by the columns `table` and, for tables of a step, `step`. Sections are separated by an empty
 * line, so `awk -v RS= '/^table,step,tag/'` or a filter on the first column picks one. Absent values are
 * empty, zero is 0, an infinite ratio is `inf`, a step that is not done is its status word.
 */
export function renderCsv(tables: readonly Table[], delimiter: ',' | '\t'): string {
  const ids = [...new Set(tables.map((table) => table.id))];
  return ids
    .map((id) => sectionRecords(tables.filter((table) => table.id === id)))
    .map((records) => stringify(records, { delimiter }))
    .join('\n');
}

function sectionRecords(section: readonly Table[]): string[][] {
  const perStep = section.some((table) => table.step !== null);
  const lead = (table: Table): string[] => (perStep ? [table.id, table.step ?? ''] : [table.id]);
  const keys = section[0]!.columns.map(({ key }) => key);
  return [
    [...(perStep ? ['table', 'step'] : ['table']), ...keys],
    ...section.flatMap((table) =>
      table.rows.map(({ cells }) => [...lead(table), ...cells.map(rawText)]),
    ),
  ];
}

function rawText({ value }: Cell): string {
  if (value === null) return '';
  return value === Number.POSITIVE_INFINITY ? 'inf' : String(value);
}
