import { bucketMeans, type PackedSeries, type Points, type StackChart } from '@ibench/chart';
import type { WaitSeries } from '@ibench/core';
import type { StepRow } from '../rows.ts';

/** Stacks have at most this many positions: 30 s each in a step of an hour. */
const BUCKETS = 120;

/** Types of waits that have a layer of their own, as pg_stat_activity names them; all steps have the same colours. */
const TYPES = ['CPU', 'IO', 'LWLock', 'Lock', 'IPC', 'Client', 'Timeout'];
const LAYERS = [...TYPES, 'other waits'];

/** A line this many times higher than the stacks would leave nothing of them to be seen. */
const HIGHEST_LIMIT = 3;

/** Average active sessions of the server by what they waited for; null where no row was sampled. */
export function waitsChart(rows: readonly StepRow[]): StackChart<PackedSeries> | null {
  const sampled = rows.filter(({ series: { waits } }) => waits.seconds.length > 0);
  if (sampled.length === 0) return null;
  const seconds = Math.max(...sampled.map(({ step }) => step.metrics.seconds));
  const bucket = Math.max(1, Math.ceil(seconds / BUCKETS));
  const stacks = sampled.map((row) => ({ row, layers: layersOf(row.series.waits, bucket) }));
  const highest = Math.max(...stacks.flatMap(({ layers }) => heights(layers)));
  const cpus = commonCpus(sampled);
  return {
    kind: 'stack',
    id: 'active-sessions',
    title: `Average active sessions by what they wait for${bucket === 1 ? '' : `, means of ${bucket} s`}`,
    description: sampled
      .map((row) => `${row.label}: ${notesOf(row.series.waits, row.cpus).join(', ')}`)
      .join('; '),
    unit: 'count',
    seconds,
    top: null,
    limit:
      cpus !== null && cpus <= HIGHEST_LIMIT * highest
        ? { value: cpus, label: `${cpus} CPUs` }
        : null,
    layers: LAYERS,
    rows: stacks.map(({ row, layers }) => ({
      row: row.row,
      label: row.label,
      notes: [
        ...notesOf(row.series.waits, row.cpus),
        ...(row.repeatNote === null ? [] : [row.repeatNote]),
      ],
      layers: layers.map((points) => ({ points, scale: 'linear' as const })),
    })),
  };
}

/** CPU at the bottom. */
function layersOf({ seconds, active }: WaitSeries, bucket: number): Points[] {
  const others = [...active.keys()].filter((type) => !TYPES.includes(type));
  return [...TYPES.map((type) => [type]), others].map((types) => {
    const y = seconds.map((_, i) =>
      types.reduce((sum, type) => sum + (active.get(type)?.[i] ?? 0), 0),
    );
    return bucketMeans({ x: seconds, y }, bucket);
  });
}

function heights(layers: readonly Points[]): number[] {
  return Array.from(layers[0]?.x ?? [], (_, i) =>
    layers.reduce((sum, { y }) => sum + (y[i] ?? 0), 0),
  );
}

/** The number of CPUs if all rows have the same. */
function commonCpus(rows: readonly StepRow[]): number | null {
  const first = rows[0]?.cpus ?? null;
  return rows.every(({ cpus }) => cpus === first) ? first : null;
}

function notesOf({ seconds, active }: WaitSeries, cpus: number | null): string[] {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / seconds.length;
  const all = [...active.values()].reduce((sum, values) => sum + mean(values), 0);
  const onCpu = mean(active.get('CPU') ?? []);
  return [
    `avg ${all.toFixed(2)}${cpus === null ? '' : ` on ${cpus} CPUs`}`,
    `${onCpu.toFixed(2)} on CPU`,
    `${(all - onCpu).toFixed(2)} waiting`,
  ];
}
