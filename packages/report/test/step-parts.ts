import type { ClientRate, Clock, StatementKind, TimesSummary } from '@ibench/core';

/** Clients from 1, each by its end and rate. */
export function clients(...ends: (readonly [finishedS: number, rate: number])[]): ClientRate[] {
  return ends.map(([finishedS, rate], i) => ({ client: i + 1, finishedS, rate }));
}

/** Times of a kind of statement by a clock: counts of the decimal buckets, percentiles and the slowest. */
export function times(
  [kind, clock]: readonly [StatementKind, Clock],
  decimal: readonly number[],
  [p50, p99, p999, p9999, maxUs]: readonly [number, number, number, number, number],
): TimesSummary {
  const count = decimal.reduce((sum, n) => sum + n, 0);
  const percentiles = { p50, p90: p50, p95: p99, p99, 'p99.9': p999, 'p99.99': p9999 };
  return { kind, clock, count, maxUs, decimal, percentiles };
}
