import type { StatementKind } from './step.ts';

/** service: from sending to the last byte of the answer. response: from when the statement was due. */
export const CLOCKS = ['service', 'response'] as const;
export type Clock = (typeof CLOCKS)[number];

/** Everything known about the times of one kind of statement by one clock. */
export interface TimesResult {
  readonly clock: Clock;
  readonly count: number;
  readonly maxUs: number;
  readonly sumUs: number;
  /** Exact counts of the ten decimal buckets (≤256us … >16s). */
  readonly decimal: readonly number[];
  /** Log-linear histogram, sparse: [bucket index, count]; see histogram.ts. */
  readonly buckets: readonly (readonly [index: number, count: number])[];
}

/** Response or service times of one kind of statement over all clients of a step. */
export interface TimesSummary {
  readonly kind: StatementKind;
  readonly clock: Clock;
  readonly count: number;
  readonly maxUs: number;
  readonly decimal: readonly number[];
  /** Percentiles by their name (p50, p90, p95, p99, p99.9, p99.99), microseconds. */
  readonly percentiles: Readonly<Record<string, number>>;
}
