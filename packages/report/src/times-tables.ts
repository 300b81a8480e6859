import {
  CLOCKS,
  type Clock,
  DECIMAL_NAMES,
  decimalPercents,
  STATEMENT_KINDS,
  type StatementKind,
  type TimesSummary,
} from '@ibench/core';
import { blockCell, numberCell, numberColumn, timeCell, wordCell, wordColumn } from './cell.ts';
import { slowestMarks } from './judge.ts';
import { doneRepeats, median, type RunGroup } from './run-group.ts';
import type { Cell, Row, Table } from './table.ts';

const CLOCK_LABELS: Readonly<Record<Clock, string>> = {
  service: 'from when it was sent',
  response: 'from when it was due',
};

const PERCENTILE_COLUMNS = ['p50', 'p99', 'p99.9', 'p99.99'] as const;

/** The times of one kind of statement by one clock, for one row; one entry per repeat. */
interface RowTimes {
  readonly label: string;
  readonly repeats: readonly TimesSummary[];
}

/**
 * Share of the statements in each bucket of response time, %, and the slowest; repeats are pooled.
 * null where no run has times for the step.
 */
export function histogramTable(groups: readonly RunGroup[], step: string): Table | null {
  const rows = timesRows(groups, step, (times) => {
    const slowest = times.map(({ repeats }) => Math.max(...repeats.map((repeat) => repeat.maxUs)));
    const marks = slowestMarks(slowest);
    return times.map(({ repeats }, row) => [
      ...percentCells(pooled(repeats)),
      timeCell(slowest[row], marks[row]),
    ]);
  });
  if (rows.length === 0) return null;
  return {
    id: 'histogram',
    step,
    title: `${step}: response times, % of statements in each bucket`,
    note: 'Blank: none; nonzero: below 0.001%. Max: ▲ fastest, ▼ slowest quarter of the range',
    columns: [
      ...LEADING,
      ...DECIMAL_NAMES.map((name) => numberColumn(name)),
      numberColumn('max_us', 'max'),
    ],
    rows,
    footnotes: [],
  };
}

/**
 * Percentiles of the response time; over repeats the median of each, and the total count.
 * null where no run has times for the step.
 */
export function percentilesTable(groups: readonly RunGroup[], step: string): Table | null {
  const rows = timesRows(groups, step, (times) =>
    times.map(({ repeats }) => {
      const counted = repeats.filter(({ count }) => count > 0);
      return [
        numberCell(
          counted.reduce((sum, { count }) => sum + count, 0),
          0,
        ),
        ...PERCENTILE_COLUMNS.map((name) =>
          timeCell(median(counted.map(({ percentiles }) => percentiles[name]))),
        ),
      ];
    }),
  );
  if (rows.length === 0) return null;
  return {
    id: 'percentiles',
    step,
    title: `${step}: response time percentiles`,
    note: 'Response time that this share of the statements does not exceed',
    columns: [
      ...LEADING,
      numberColumn('count', 'statements'),
      ...PERCENTILE_COLUMNS.map((name) => numberColumn(`${name}_us`, name)),
    ],
    rows,
    footnotes: [],
  };
}

const LEADING = [wordColumn('kind'), wordColumn('clock'), wordColumn('tag')];

/** Rows by kind, clock and run; `fill` makes the cells of all runs of one kind and clock at once. */
function timesRows(
  groups: readonly RunGroup[],
  step: string,
  fill: (times: readonly RowTimes[]) => Cell[][],
): Row[] {
  return STATEMENT_KINDS.flatMap((kind) =>
    CLOCKS.flatMap((clock) => {
      const times = groups.flatMap((group) => timesOf(group, step, [kind, clock]));
      const cells = fill(times);
      return times.map(({ label }, row) => ({
        cells: [
          blockCell(kind, row === 0),
          blockCell(clock, row === 0, CLOCK_LABELS[clock]),
          wordCell(label),
          ...cells[row]!,
        ],
      }));
    }),
  );
}

function timesOf(
  group: RunGroup,
  step: string,
  [kind, clock]: readonly [StatementKind, Clock],
): RowTimes[] {
  const repeats = doneRepeats(group, step).flatMap((repeat) =>
    repeat.times.filter((times) => times.kind === kind && times.clock === clock),
  );
  return repeats.length === 0 ? [] : [{ label: group.label, repeats }];
}

function pooled(repeats: readonly TimesSummary[]): number[] {
  return DECIMAL_NAMES.map((_, bucket) =>
    repeats.reduce((sum, repeat) => sum + (repeat.decimal[bucket] ?? 0), 0),
  );
}

function percentCells(counts: readonly number[]): Cell[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const texts = decimalPercents(counts);
  return counts.map((count, bucket) => ({
    value: total === 0 ? null : (100 * count) / total,
    text: texts[bucket]!,
    mark: 'none',
  }));
}
