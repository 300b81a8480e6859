import assert from 'node:assert/strict';
import type { Cell, Table } from '../src/index.ts';

/** The table with this id, of this step where tables are per step; fails where there is none. */
export function findTable(tables: readonly Table[], id: string, step: string | null = null): Table {
  const found = tables.find((table) => table.id === id && table.step === step);
  assert.ok(found, `no table ${id} of ${step}`);
  return found;
}

/** The cell of the row with this tag in this column. */
export function findCell(table: Table, tag: string, key: string): Cell {
  const tagAt = table.columns.findIndex((column) => column.key === 'tag');
  const row = table.rows.find(({ cells }) => cells[tagAt]!.value === tag);
  assert.ok(row, `no row ${tag}`);
  return row.cells[table.columns.findIndex((column) => column.key === key)]!;
}
