import type { IoSample } from '@ibench/core';
import { readNumber } from './text.ts';

type Field = Exclude<keyof IoSample, 'device'>;

interface Column {
  readonly field: Field;
  /** For amounts of data: kB in one unit of this column. */
  readonly kbPerUnit?: number;
}

/** A sector is 512 bytes and 1 MB is 1024 kB, whatever the device. */
const SECTOR_KB = 0.5;
const MB_KB = 1024;

/**
 * Column names of all releases to fields. A single `await` for reads and writes together, merges and request
 * sizes have no field.
 */
const COLUMNS: Readonly<Record<string, Column>> = {
  'r/s': { field: 'readsPerS' },
  'rsec/s': { field: 'readKbPerS', kbPerUnit: SECTOR_KB },
  'rkB/s': { field: 'readKbPerS', kbPerUnit: 1 },
  'rMB/s': { field: 'readKbPerS', kbPerUnit: MB_KB },
  r_await: { field: 'readAwaitMs' },
  'w/s': { field: 'writesPerS' },
  'wsec/s': { field: 'writeKbPerS', kbPerUnit: SECTOR_KB },
  'wkB/s': { field: 'writeKbPerS', kbPerUnit: 1 },
  'wMB/s': { field: 'writeKbPerS', kbPerUnit: MB_KB },
  w_await: { field: 'writeAwaitMs' },
  'd/s': { field: 'discardsPerS' },
  'dsec/s': { field: 'discardKbPerS', kbPerUnit: SECTOR_KB },
  'dkB/s': { field: 'discardKbPerS', kbPerUnit: 1 },
  'dMB/s': { field: 'discardKbPerS', kbPerUnit: MB_KB },
  d_await: { field: 'discardAwaitMs' },
  'f/s': { field: 'flushesPerS' },
  f_await: { field: 'flushAwaitMs' },
  'aqu-sz': { field: 'queueSize' },
  'avgqu-sz': { field: 'queueSize' },
  '%util': { field: 'utilPct' },
  util: { field: 'utilPct' },
};

/** kB in the units that `iostat --human` appends; `s` is a sector. */
const HUMAN_KB: Readonly<Record<string, number>> = {
  s: SECTOR_KB,
  B: 1 / 1024,
  k: 1,
  M: 1024,
  G: 1024 ** 2,
  T: 1024 ** 3,
  P: 1024 ** 4,
};

/** One device's row, from its cells by column name; columns without a field are passed over. */
export function toIoSample(
  device: string,
  cells: Iterable<readonly [column: string, cell: string]>,
): IoSample {
  const values: Record<Field, number | null> = { ...NO_VALUES };
  for (const [name, cell] of cells) {
    const column = COLUMNS[name];
    if (column !== undefined) values[column.field] = readCell(cell, column.kbPerUnit);
  }
  return { device, ...values };
}

/** A number, with a `%` or a `--human` unit after it or not; null: not a number. */
export function readCell(cell: string | undefined, kbPerUnit = 1): number | null {
  if (cell === undefined) return null;
  const unitKb = HUMAN_KB[cell.slice(-1)];
  if (unitKb !== undefined) return scale(readNumber(cell.slice(0, -1)), unitKb);
  return scale(readNumber(cell.replace(/%$/, '')), kbPerUnit);
}

function scale(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor;
}

const NO_VALUES: Record<Field, null> = {
  readsPerS: null,
  readKbPerS: null,
  readAwaitMs: null,
  writesPerS: null,
  writeKbPerS: null,
  writeAwaitMs: null,
  discardsPerS: null,
  discardKbPerS: null,
  discardAwaitMs: null,
  flushesPerS: null,
  flushAwaitMs: null,
  queueSize: null,
  utilPct: null,
};
