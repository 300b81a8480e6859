import { maxColumnMarks, summaryMarks } from '@ibench/core';
import type { Mark } from './table.ts';
import type { Throughput } from './throughput.ts';

/**
 * Marks of one throughput column: top quarter good, bottom quarter bad unless the column is narrow.
 * A row that missed the SLA is marked as that and takes no part in the range (SPEC 6).
 */
export function throughputMarks(column: readonly Throughput[]): Mark[] {
  const compared = column.map(({ value, missedSla }) => (missedSla ? null : value));
  const marks = differ(compared.map((value) => (value === null ? null : Math.round(value))))
    ? summaryMarks(compared.map((value) => ({ value, slaMet: true })))
    : [];
  return column.map(({ missedSla }, row) => (missedSla ? 'missed-sla' : endMark(marks[row])));
}

/** Marks of a column of slowest responses, microseconds: top quarter bad, bottom quarter good. */
export function slowestMarks(columnUs: readonly number[]): Mark[] {
  const seconds = columnUs.map((us) => us / 1e6);
  const marks = differ(columnUs.map((us) => Math.round(us / 1000))) ? maxColumnMarks(seconds) : [];
  return columnUs.map((_, row) => endMark(marks[row]));
}

/** One value, or the same value throughout, is neither better nor worse than anything. */
function differ(column: readonly (number | null)[]): boolean {
  return new Set(column.filter((value) => value !== null)).size > 1;
}

function endMark(mark: string | undefined): Mark {
  return mark === 'good' || mark === 'bad' ? mark : 'none';
}
