import type { Points } from '@ibench/chart';
import type { StatementKind, StatementSeries, StepMetrics } from '@ibench/core';
import type { StepRow } from '../rows.ts';
import { type TimeSource, wholeSeconds } from './time-charts.ts';

interface KindText {
  readonly rate: string;
  readonly slowest: string;
  /** Its mean rate over the step. */
  readonly metric: 'ips' | 'dps' | 'qps';
}

const KINDS: Readonly<Record<StatementKind, KindText>> = {
  insert: {
    rate: 'Rows inserted per second',
    slowest: 'Slowest insert in each second',
    metric: 'ips',
  },
  delete: {
    rate: 'Rows deleted per second',
    slowest: 'Slowest delete in each second',
    metric: 'dps',
  },
  query: { rate: 'Queries per second', slowest: 'Slowest query in each second', metric: 'qps' },
};

/** Rate and slowest response per second of one kind of statement. */
export function statementSources(kind: StatementKind, rows: readonly StepRow[]): TimeSource[] {
  const { rate, slowest, metric } = KINDS[kind];
  const targets = rows
    .map(({ step }) => step.metrics.target_ips)
    .filter((target) => target !== null);
  const isBackground = kind !== 'query' && targets.length > 0;
  return [
    {
      id: `${kind}-rate`,
      title: rate,
      unit: 'rate',
      scale: 'linear',
      target: isBackground ? Math.max(...targets) : null,
      points: (row) => ratePoints(seriesOf(row, kind), row.step.metrics),
      mean: ({ step }) => step.metrics[metric],
      countsSeconds: true,
      showsServer: true,
    },
    {
      id: `${kind}-slowest`,
      title: slowest,
      unit: 'time-us',
      scale: 'log',
      target: null,
      points: (row) => slowestPoints(seriesOf(row, kind)),
      mean: null,
      showsServer: true,
    },
  ];
}

function seriesOf({ series }: StepRow, kind: StatementKind): StatementSeries | undefined {
  return series.statements.find((statement) => statement.kind === kind);
}

/** Whole seconds only: the last one is cut off by the end of the step and would look like a dip. */
function ratePoints(series: StatementSeries | undefined, { seconds }: StepMetrics): Points | null {
  if (series === undefined) return null;
  const counted = series.kind === 'query' ? series.ops : series.rows;
  return wholeSeconds({ x: series.seconds, y: counted }, Math.max(1, seconds));
}

function slowestPoints(series: StatementSeries | undefined): Points | null {
  return series === undefined ? null : { x: series.seconds, y: series.maxUs };
}
