import type { PackedSeries, StackChart } from '@ibench/chart';
import type { StepRow } from '../rows.ts';
import { type StackSource, serverStack } from './server-stack.ts';
import type { TimeSource } from './time-charts.ts';

/** Samples come every few seconds only. */
const FEW = 5;

/** Planning a delete and finding the smallest id: both walk over the dead entries at the index's start. */
export const SERVER_SOURCES: readonly TimeSource[] = [
  {
    id: 'delete-planning',
    title: 'Time to plan a delete',
    unit: 'time-ms',
    scale: 'log',
    target: null,
    points: ({ series: { server } }) => ({ x: server.planning.seconds, y: server.planning.ms }),
    mean: null,
    window: FEW,
  },
  {
    id: 'delete-resync',
    title: "Mean time of the deleter's queries for the smallest id",
    unit: 'time-ms',
    scale: 'log',
    target: null,
    points: ({ series: { server } }) => ({ x: server.resync.seconds, y: server.resync.ms }),
    mean: null,
    window: FEW,
  },
];

const CPU: StackSource = {
  id: 'server-cpu',
  title: 'CPUs used by the server',
  names: [
    'insert',
    'delete',
    'query',
    'maintenance',
    'checkpointer',
    'autovacuum worker',
    'walwriter',
  ],
  others: 'other processes',
  most: 240,
  series: ({ series: { server } }) => server.cpu,
  notes: notesOf,
};

/** CPUs that the server used, by who used them; null where no row tells. */
export function serverCpuChart(rows: readonly StepRow[]): StackChart<PackedSeries> | null {
  return serverStack(
    CPU,
    rows.filter(({ series: { server } }) => server.cpu.seconds.length > 0),
  );
}

/** The mean, and the roles that used most. */
function notesOf({ series: { server } }: StepRow): string[] {
  const { seconds, values: cpus } = server.cpu;
  const means = [...cpus]
    .map(([role, values]) => ({
      role,
      mean: values.reduce((sum, value) => sum + value, 0) / seconds.length,
    }))
    .sort((a, b) => b.mean - a.mean);
  const all = means.reduce((sum, { mean }) => sum + mean, 0);
  const top = means.slice(0, 2).map(({ role, mean }) => `${role} ${mean.toFixed(2)}`);
  return [`avg ${all.toFixed(2)}`, ...top];
}
