import type { PackedSeries, StackChart } from '@ibench/chart';
import type { StepRow } from '../rows.ts';
import { type StackSource, serverStack } from './server-stack.ts';

const WAITS: StackSource = {
  id: 'active-sessions',
  title: 'Average active sessions by what they wait for',
  // As pg_stat_activity names them.
  names: ['CPU', 'IO', 'LWLock', 'Lock', 'IPC', 'Client', 'Timeout'],
  others: 'other waits',
  // 30 s each in a step of an hour.
  most: 120,
  series: ({ series: { waits } }) => ({ seconds: waits.seconds, values: waits.active }),
  notes: notesOf,
};

/** Average active sessions of the server by what they waited for; null where no row was sampled. */
export function waitsChart(rows: readonly StepRow[]): StackChart<PackedSeries> | null {
  return serverStack(
    WAITS,
    rows.filter(({ series: { waits } }) => waits.seconds.length > 0),
  );
}

function notesOf({ cpus, series: { waits } }: StepRow): string[] {
  const { seconds, active } = waits;
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
