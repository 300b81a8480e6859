import { mergeSparse, PERCENTILES, percentileUs } from '../histogram.ts';
import type { WorkerResult } from '../result.ts';
import type { StatementKind } from '../step.ts';
import { STATEMENT_KINDS } from '../step.ts';
import type { Clock, TimesResult, TimesSummary } from '../times.ts';
import { CLOCKS } from '../times.ts';

/**
 * Times of a step over all clients, one entry per kind of statement and clock, in that order. A kind
 * that no worker executed, or not once, has no entry. One of which none was done before the step ended has
 * a maximum and no percentiles.
 */
export function summariseTimes(workers: readonly WorkerResult[]): TimesSummary[] {
  return STATEMENT_KINDS.flatMap((kind) =>
    CLOCKS.flatMap((clock) => {
      const measured = timesOf(workers, kind, clock);
      return measured.length === 0 ? [] : [merge(measured, kind, clock)];
    }),
  );
}

/** Times of the workers that sent this kind of statement at least once, by this clock. */
export function timesOf(
  workers: readonly WorkerResult[],
  kind: StatementKind,
  clock: Clock,
): TimesResult[] {
  return workers
    .filter((worker) => worker.role === kind)
    .flatMap((worker) => worker.times)
    .filter((times) => times.clock === clock && (times.count > 0 || times.maxUs > 0));
}

function merge(measured: readonly TimesResult[], kind: StatementKind, clock: Clock): TimesSummary {
  const maxUs = Math.max(...measured.map((times) => times.maxUs));
  const buckets = mergeSparse(measured.map((times) => times.buckets));
  return {
    kind,
    clock,
    count: measured.reduce((sum, times) => sum + times.count, 0),
    maxUs,
    decimal: sumByBucket(measured.map((times) => times.decimal)),
    percentiles: Object.fromEntries(
      Object.entries(PERCENTILES).map(([name, fraction]) => [
        name,
        percentileUs(buckets, fraction, maxUs),
      ]),
    ),
  };
}

function sumByBucket(counts: readonly (readonly number[])[]): number[] {
  const longest = Math.max(...counts.map((row) => row.length));
  return Array.from({ length: longest }, (_, bucket) =>
    counts.reduce((sum, row) => sum + (row[bucket] ?? 0), 0),
  );
}
