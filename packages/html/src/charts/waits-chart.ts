import type { PackedSeries, StackChart } from '@ibench/chart';
import type { WaitSeries } from '@ibench/core';
import type { StepRow } from '../rows.ts';
import { cpuLimit, layersOf } from './stack-layers.ts';

/** Stacks have at most this many positions: 30 s each in a step of an hour. */
const BUCKETS = 120;

/** Types of waits that have a layer of their own, as pg_stat_activity names them; all steps have the same colours. */
const TYPES = ['CPU', 'IO', 'LWLock', 'Lock', 'IPC', 'Client', 'Timeout'];
const LAYERS = [...TYPES, 'other waits'];

/** Average active sessions of the server by what they waited for; null where no row was sampled. */
export function waitsChart(rows: readonly StepRow[]): StackChart<PackedSeries> | null {
  const sampled = rows.filter(({ series: { waits } }) => waits.seconds.length > 0);
  if (sampled.length === 0) return null;
  const seconds = Math.max(...sampled.map(({ step }) => step.metrics.seconds));
  const bucket = Math.max(1, Math.ceil(seconds / BUCKETS));
  const stacks = sampled.map(
    ({
      series: {
        waits: { seconds, active },
      },
    }) => layersOf({ seconds, values: active }, TYPES, bucket),
  );
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
    limit: cpuLimit(sampled, stacks),
    layers: LAYERS,
    rows: sampled.map((row, i) => ({
      row: row.row,
      label: row.label,
      notes: notesOf(row.series.waits, row.cpus),
      layers: stacks[i]!.map((points) => ({ points, scale: 'linear' as const })),
    })),
  };
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
