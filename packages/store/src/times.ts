import {
  bucketUpperUs,
  CLOCKS,
  mergeSparse,
  PERCENTILES,
  percentileUs,
  STATEMENT_KINDS,
  type TimesResult,
  type TimesSummary,
  type WorkerResult,
} from '@ibench/core';
import { prepare, type Store } from './open.ts';
import { insertRow, type Row } from './write.ts';

/** Columns of the ten decimal buckets, in the order of their counts. */
export const DECIMAL_COLUMNS = [
  'le_256us',
  'le_1ms',
  'le_4ms',
  'le_16ms',
  'le_64ms',
  'le_256ms',
  'le_1s',
  'le_4s',
  'le_16s',
  'gt_16s',
] as const;

/** Column of a percentile: `p99.9` is p999. */
export function percentileColumn(name: string): string {
  return name.replace('.', '');
}

/** Times by client and kind, merged where several workers share both; ordered by client, kind, clock. */
export function summariseClients(
  workers: readonly WorkerResult[],
): { client: number; times: TimesSummary }[] {
  const clients = [...new Set(workers.map((worker) => worker.client))].sort((a, b) => a - b);
  return clients.flatMap((client) =>
    STATEMENT_KINDS.flatMap((kind) =>
      CLOCKS.flatMap((clock) => {
        const parts = workers
          .filter((worker) => worker.client === client && worker.role === kind)
          .flatMap((worker) => worker.times.filter((times) => times.clock === clock));
        return parts.length === 0 ? [] : [{ client, times: { kind, clock, ...merge(parts) } }];
      }),
    ),
  );
}

/** Keeps a summary of a step that is done; client null: over all clients. */
export function saveStepTimes(
  store: Store,
  stepKey: number,
  client: number | null,
  times: TimesSummary,
): void {
  const percentiles = Object.keys(PERCENTILES).map(
    (name) => [percentileColumn(name), times.percentiles[name] ?? null] as const,
  );
  insertRow(store, 'step_times', {
    step_key: stepKey,
    client,
    kind: times.kind,
    clock: times.clock,
    count: times.count,
    max_us: times.maxUs,
    ...Object.fromEntries(percentiles),
    ...decimalColumns(times.decimal),
  });
}

/** Keeps what one worker recorded by one clock, with its histogram. */
export function saveWorkerTimes(store: Store, workerKey: number, times: TimesResult): void {
  const timesKey = insertRow(store, 'worker_times', {
    worker_key: workerKey,
    clock: times.clock,
    count: times.count,
    sum_us: times.sumUs,
    max_us: times.maxUs,
    ...decimalColumns(times.decimal),
  });
  const insert = prepare(
    store,
    'INSERT INTO histogram_bucket (times_key, upper_us, count) VALUES (?, ?, ?)',
  );
  for (const [index, count] of times.buckets) insert.run(timesKey, bucketUpperUs(index), count);
}

function merge(parts: readonly TimesResult[]): Omit<TimesSummary, 'kind' | 'clock'> {
  const buckets = mergeSparse(parts.map((part) => part.buckets));
  const maxUs = Math.max(...parts.map((part) => part.maxUs));
  return {
    count: parts.reduce((sum, part) => sum + part.count, 0),
    maxUs,
    decimal: DECIMAL_COLUMNS.map((_, i) =>
      parts.reduce((sum, part) => sum + (part.decimal[i] ?? 0), 0),
    ),
    percentiles: Object.fromEntries(
      Object.entries(PERCENTILES).map(([name, fraction]) => [
        name,
        percentileUs(buckets, fraction, maxUs),
      ]),
    ),
  };
}

function decimalColumns(decimal: readonly number[]): Row {
  return Object.fromEntries(DECIMAL_COLUMNS.map((column, i) => [column, decimal[i] ?? null]));
}
