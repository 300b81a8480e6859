import type { Cell, Column, Mark } from './table.ts';

/** A cell without value or text: the run has no such step. */
export const BLANK: Cell = { value: null, text: '', mark: 'absent' };

/** A number with this many decimals; `NA` where it is absent, `inf` for a ratio to zero. */
export function numberCell(
  value: number | null | undefined,
  decimals: number,
  mark: Mark = 'none',
): Cell {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return { value: null, text: 'NA', mark: 'absent' };
  }
  if (!Number.isFinite(value)) return { value, text: 'inf', mark };
  // A negative number that rounds to zero is shown as zero.
  return { value, text: value.toFixed(decimals).replace(/^-(0(?:\.0*)?)$/, '$1'), mark };
}

/** The cell labelled as a client-bound throughput, if it is one and has a number. */
export function labelClientBound(cell: Cell, clientBound: boolean): Cell {
  return clientBound && cell.value !== null ? { ...cell, clientBound } : cell;
}

/** A word: a tag, a status, a message. */
export function wordCell(value: string, mark: Mark = 'none'): Cell {
  return { value, text: value, mark };
}

/** What a block of rows has in common, named in the first of them only, so that the blocks can be seen. */
export function blockCell(value: string, isFirst: boolean, text: string = value): Cell {
  return { value, text: isFirst ? text : '', mark: 'none' };
}

/** A duration given in microseconds, with three digits and its unit: `185 us`, `3.97 ms`, `1.25 s`. */
export function timeCell(us: number | null | undefined, mark: Mark = 'none'): Cell {
  if (us === null || us === undefined || Number.isNaN(us)) return numberCell(null, 0);
  const [scale, unit] = us < 999.5 ? [1, 'us'] : us < 999_500 ? [1e3, 'ms'] : [1e6, 's'];
  return { value: us, text: `${threeDigits(us / scale)} ${unit}`, mark };
}

function threeDigits(value: number): string {
  return value >= 99.95 ? value.toFixed(0) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

/** A column of words, left-aligned. */
export function wordColumn(key: string, label: string = key): Column {
  return { key, label, align: 'left' };
}

/** A column of numbers, right-aligned. */
export function numberColumn(key: string, label: string = key): Column {
  return { key, label, align: 'right' };
}
