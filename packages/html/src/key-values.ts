import { formatClock, formatValue, type Points } from '@ibench/chart';
import { STATEMENT_KINDS } from '@ibench/core';
import { blockCell, type Cell, median, type Table } from '@ibench/report';
import { statementSources } from './charts/statement-charts.ts';
import { largest, least, type TimeSource, wholeSeconds } from './charts/time-charts.ts';
import type { StepRow } from './rows.ts';

/** Least, median and largest second of each series, and when: the charts over seconds as a table. */
export function keyValuesTable(step: string, rows: readonly StepRow[]): Table {
  const sources = STATEMENT_KINDS.flatMap((kind) => statementSources(kind, rows));
  return {
    id: 'extremes',
    step,
    title: `${step}: least and largest second`,
    note: 'All clients together, whole seconds only; at: since the step started',
    columns: [
      { key: 'series', label: 'series', align: 'left' },
      { key: 'least', label: 'least', align: 'right' },
      { key: 'least_at_s', label: 'at', align: 'right' },
      { key: 'median', label: 'median', align: 'right' },
      { key: 'largest', label: 'largest', align: 'right' },
      { key: 'largest_at_s', label: 'at', align: 'right' },
      { key: 'tag', label: 'tag', align: 'left' },
    ],
    rows: sources.flatMap((source) =>
      rows
        .flatMap((row) => {
          const points = source.points(row);
          return points === null || points.x.length === 0
            ? []
            : [{ row, points: wholeSeconds(points, row.step.metrics.seconds) }];
        })
        .map(({ row, points }, i) => ({
          cells: cellsOf(source, row, { points, isFirst: i === 0 }),
        })),
    ),
    footnotes: [],
  };
}

function cellsOf(
  { title, unit }: TimeSource,
  row: StepRow,
  { points, isFirst }: { readonly points: Points; readonly isFirst: boolean },
): Cell[] {
  const [low, high] = [least(points), largest(points)];
  const value = (one: number | null): Cell =>
    one === null || Number.isNaN(one)
      ? { value: null, text: 'NA', mark: 'absent' }
      : { value: one, text: formatValue(unit, one), mark: 'none' };
  const at = (one: number): Cell =>
    points.x.length === 0
      ? { value: null, text: 'NA', mark: 'absent' }
      : { value: one, text: formatClock(one), mark: 'none' };
  return [
    blockCell(title, isFirst),
    value(low.value),
    at(low.at),
    value(median(Array.from(points.y))),
    value(high.value),
    at(high.at),
    { value: row.label, text: row.label, mark: 'none' },
  ];
}
