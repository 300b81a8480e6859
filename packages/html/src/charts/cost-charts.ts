import {
  type BarChart,
  type CurveChart,
  type DotChart,
  formatValue,
  type PackedSeries,
} from '@ibench/chart';
import { type Clock, isQueryStep, type StatementKind, type StepMetrics } from '@ibench/core';
import type { StepRow } from '../rows.ts';
import { percentilePoints } from './percentile-points.ts';

const CPU_LAYERS = [
  'insert backends',
  'delete backends',
  'query backends',
  'index build',
  'other server processes',
  'load generator',
  'rest of the host',
];

/** Who spent the CPU time of one operation; null where that is not known. */
export function cpuSplitChart(step: string, rows: readonly StepRow[]): BarChart | null {
  const known = rows.filter(({ step: { metrics } }) => metrics.fgcpupq !== null);
  if (known.length === 0) return null;
  const operation = isQueryStep(step) ? 'query' : step === 'l.x' ? 'row indexed' : 'insert';
  return {
    kind: 'bar',
    id: 'cpu-split',
    title: `CPU time per ${operation} by who spent it, µs`,
    description: known
      .map(
        ({ label, step: { metrics } }) =>
          `${label}: ${formatValue('us-per-op', metrics.cpupq ?? Number.NaN)}`,
      )
      .join('; '),
    unit: 'us-per-op',
    layers: CPU_LAYERS,
    rows: known.map(({ row, label, step: { metrics } }) => ({
      row,
      label,
      notes: [formatValue('us-per-op', metrics.cpupq ?? Number.NaN)],
      values: cpuParts(metrics),
    })),
  };
}

/** The layers of a row: an index build is what the backends did beside the statements. */
function cpuParts(metrics: StepMetrics): (number | null)[] {
  const statements = [metrics.fgcpupq_insert, metrics.fgcpupq_delete, metrics.fgcpupq_query];
  const ofStatements = statements.reduce<number>((sum, part) => sum + (part ?? 0), 0);
  const indexBuild = (metrics.fgcpupq ?? 0) - ofStatements;
  return [...statements, indexBuild, metrics.bgcpupq, metrics.clcpupq, metrics.otcpupq];
}

/** How the rates of the clients lie; null where no row has several clients. */
export function clientsChart(step: string, rows: readonly StepRow[]): DotChart | null {
  const several = rows.flatMap(({ row, label, step: { clients } }) => {
    const values = clients.map(({ rate }) => rate).filter((rate) => rate !== null);
    return values.length < 2 ? [] : [{ row, label, values }];
  });
  if (several.length === 0) return null;
  const what = isQueryStep(step) ? 'queries' : 'rows inserted';
  return {
    kind: 'dot',
    id: 'client-rates',
    title: `Rate of each client, ${what} per second until its end`,
    description: several
      .map(
        ({ label, values }) =>
          `${label}: ${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}`,
      )
      .join('; '),
    unit: 'rate',
    rows: several.map(({ row, label, values }) => ({
      row,
      label,
      values,
      notes: [`slowest / fastest ${(Math.min(...values) / Math.max(...values)).toFixed(2)}`],
    })),
  };
}

const CLOCK_TEXTS: Readonly<Record<Clock, string>> = {
  service: '',
  response: ', from when it was due',
};

/** Response time over percentile of one kind of statement by one clock; null where nothing was timed. */
export function percentileChart(
  kind: StatementKind,
  clock: Clock,
  rows: readonly StepRow[],
): CurveChart<PackedSeries> | null {
  const timed = rows.flatMap((row) => {
    const histogram = row.histograms.find((one) => one.kind === kind && one.clock === clock);
    const times = row.step.times.find((one) => one.kind === kind && one.clock === clock);
    return histogram === undefined || times === undefined
      ? []
      : [{ row, histogram, maxUs: times.maxUs }];
  });
  if (timed.length === 0) return null;
  return {
    kind: 'curve',
    id: `${kind}-percentiles${clock === 'response' ? '-due' : ''}`,
    title: `Response time of ${kind === 'query' ? 'queries' : `${kind}s`} by percentile${CLOCK_TEXTS[clock]}`,
    description: timed
      .map(({ row, maxUs }) => `${row.label}: slowest ${formatValue('time-us', maxUs)}`)
      .join('; '),
    unit: 'time-us',
    rows: timed.map(({ row, histogram, maxUs }) => ({
      row: row.row,
      label: row.label,
      notes: [`max ${formatValue('time-us', maxUs)}`],
      line: { points: percentilePoints(histogram, maxUs), scale: 'log' as const },
    })),
  };
}
