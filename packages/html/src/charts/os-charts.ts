import { bucketMeans, type PackedSeries, type StackChart, type Unit } from '@ibench/chart';
import type { OsColumn } from '@ibench/core';
import type { StepRow } from '../rows.ts';
import type { TimeSource } from './time-charts.ts';

/** Areas have at most this many positions. */
const STACK_POINTS = 360;

const KB_PER_MB = 1024;

interface OsChart {
  readonly column: OsColumn;
  readonly title: string;
  readonly unit: Unit;
  readonly factor?: number;
}

const OS_CHARTS: readonly OsChart[] = [
  { column: 'cs', title: 'Context switches per second', unit: 'rate' },
  { column: 'r', title: 'Processes that run or wait for a CPU', unit: 'count' },
  { column: 'reads_per_s', title: 'Reads per second', unit: 'rate' },
  { column: 'writes_per_s', title: 'Writes per second', unit: 'rate' },
  { column: 'read_kb_per_s', title: 'Read, MB per second', unit: 'mb-rate', factor: 1 / KB_PER_MB },
  {
    column: 'write_kb_per_s',
    title: 'Written, MB per second',
    unit: 'mb-rate',
    factor: 1 / KB_PER_MB,
  },
  { column: 'flushes_per_s', title: 'Flushes per second', unit: 'rate' },
  { column: 'flush_await_ms', title: 'Mean time of a flush', unit: 'time-ms' },
  { column: 'queue_size', title: 'Requests in flight', unit: 'count' },
];

/** The series of vmstat and iostat, all devices together. */
export const OS_SOURCES: readonly TimeSource[] = OS_CHARTS.map(
  ({ column, title, unit, factor = 1 }) => ({
    id: `os-${column.replaceAll('_', '-')}`,
    title,
    unit,
    scale: 'linear',
    target: null,
    points: ({ series: { os } }) => ({
      x: os.seconds,
      y: os.columns[column].map((value) => value * factor),
    }),
    mean: ({ series: { os } }) => meanOf(os.columns[column].map((value) => value * factor)),
  }),
);

function meanOf(values: readonly number[]): number | null {
  const known = values.filter((value) => !Number.isNaN(value));
  if (known.length === 0) return null;
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

const CPU_LAYERS = [
  ['us', 'user'],
  ['sy', 'system'],
  ['wa', 'waiting for I/O'],
  ['st', 'steal'],
] as const satisfies readonly (readonly [OsColumn, string])[];

/** What the CPUs of the machine did; null where no row was sampled. */
export function cpuChart(rows: readonly StepRow[]): StackChart<PackedSeries> | null {
  const sampled = rows.filter(({ series: { os } }) =>
    os.columns.us.some((value) => !Number.isNaN(value)),
  );
  if (sampled.length === 0) return null;
  const seconds = Math.max(...sampled.map(({ step }) => step.metrics.seconds));
  const bucket = Math.max(1, Math.ceil(seconds / STACK_POINTS));
  return {
    kind: 'stack',
    id: 'os-cpu',
    title: bucket === 1 ? 'CPU of the machine, %' : `CPU of the machine, %, means of ${bucket} s`,
    description: 'User, system, I/O wait and steal in per cent of all CPUs.',
    unit: 'percent',
    seconds,
    top: 100,
    limit: null,
    layers: CPU_LAYERS.map(([, name]) => name),
    rows: sampled.map((row) => ({
      row: row.row,
      label: row.label,
      notes: cpuNotes(row),
      layers: CPU_LAYERS.map(([column]) => ({
        points: bucketMeans(
          { x: row.series.os.seconds, y: zeroForGaps(row.series.os.columns[column]) },
          bucket,
        ),
        scale: 'linear' as const,
      })),
    })),
  };
}

/** A column that this vmstat lacks (st) adds nothing to the stack. */
function zeroForGaps(values: readonly number[]): number[] {
  return values.map((value) => (Number.isNaN(value) ? 0 : value));
}

function cpuNotes({ step: { metrics } }: StepRow): string[] {
  const note = (name: string, value: number | null): string[] =>
    value === null ? [] : [`${name} ${value.toFixed(1)}%`];
  return [...note('us + sy', metrics.cpups), ...note('I/O wait', metrics.iowait_pct)];
}
