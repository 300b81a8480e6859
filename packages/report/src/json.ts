import type { Mark, Row, Table } from './table.ts';

/**
 * Tables as a JSON array: `{id, step, title, note, columns, rows: [{values, marks}], footnotes}`, values and
 * marks by column key, values at full precision. Absent is null; an infinite ratio is the text "inf",
 * as JSON has no number for it; `marks` has only the cells that are good, bad,
 * unsure, missed-sla or invalid.
 */
export function renderJson(tables: readonly Table[]): string {
  const report = tables.map((table) => ({
    ...table,
    rows: table.rows.map((row) => rowByKey(table, row)),
  }));
  return `${JSON.stringify(report, null, 2)}\n`;
}

interface RowByKey {
  readonly values: Record<string, number | string | null>;
  readonly marks: Record<string, Mark>;
}

function rowByKey(table: Table, { cells }: Row): RowByKey {
  const entries = cells.map((cell, i) => [table.columns[i]!.key, cell] as const);
  return {
    values: Object.fromEntries(
      entries.map(([key, { value }]) => [key, value === Number.POSITIVE_INFINITY ? 'inf' : value]),
    ),
    marks: Object.fromEntries(
      entries
        .filter(([, { mark }]) => mark !== 'none' && mark !== 'absent')
        .map(([key, { mark }]) => [key, mark]),
    ),
  };
}
