import type { Cell, Column } from '@ibench/report';

/** A column of words. */
export function left(label: string, key = label): Column {
  return { key, label, align: 'left' };
}

/** A column of numbers. */
export function right(label: string, key = label): Column {
  return { key, label, align: 'right' };
}

/** A word. */
export function text(value: string): Cell {
  return { value, text: value, mark: 'none' };
}

/** A number, as a reader should see it. */
export function number(value: number, shown = String(value)): Cell {
  return { value, text: shown, mark: 'none' };
}
