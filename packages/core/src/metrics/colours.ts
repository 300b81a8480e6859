/** good and bad are the ends of a column's range, grey is a cell that missed the SLA. */
export type Mark = 'good' | 'bad' | 'grey' | 'none';

export interface SummaryCell {
  /** Throughput of the step, 1/s; null where the run has no number for it. */
  readonly value: number | null;
  /** False where the step missed its SLA; true where it met it or has none. */
  readonly slaMet: boolean;
}

/** A column that spans less than this share of its maximum has no end marked as bad. */
const NARROW = 0.8;

/**
 * Marks of one column (one step) of the throughput table. The range goes from the smallest value of
 * all rows to the largest of those that met the SLA; its bottom quarter is bad, its top quarter good.
 * Values count as printed, in whole operations per second. This is the rule of the published reports:
 * a narrow column has no bad cells, but its best are still good, and bad goes before grey.
 */
export function summaryMarks(cells: readonly SummaryCell[]): Mark[] {
  const rows = cells.map(({ value, slaMet }) => ({
    value: value === null ? null : Math.round(value),
    slaMet,
  }));
  const values = rows.flatMap(({ value }) => (value === null ? [] : [value]));
  const meeting = rows.flatMap(({ value, slaMet }) => (value !== null && slaMet ? [value] : []));
  const min = Math.min(...values);
  // Without a row that met the SLA there is no top, hence nothing good or bad.
  const max = meeting.length === 0 ? null : Math.max(...meeting);
  return rows.map(({ value, slaMet }) => {
    if (value === null) return 'none';
    if (max === null) return 'grey';
    const quarter = Math.trunc((max - min) / 4);
    if (value <= min + quarter && min < NARROW * max) return 'bad';
    if (!slaMet) return 'grey';
    return value >= max - quarter ? 'good' : 'none';
  });
}

/**
 * Marks of the `max` column of a response-time table, given in seconds and judged in whole ms: the top
 * quarter of the range is bad, the bottom quarter good unless the column is narrow (published rule).
 */
export function maxColumnMarks(maxS: readonly (number | null)[]): Mark[] {
  const columnMs = maxS.map((value) => (value === null ? null : Math.round(value * 1000)));
  const values = columnMs.flatMap((value) => (value === null ? [] : [value]));
  const min = Math.min(...values);
  const max = Math.max(...values);
  const quarter = Math.round((max - min) / 4);
  return columnMs.map((value) => {
    if (value === null) return 'none';
    if (value >= max - quarter) return 'bad';
    return value <= min + quarter && min < NARROW * max ? 'good' : 'none';
  });
}
