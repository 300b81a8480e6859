import type { StepMetrics } from '../metrics/columns.ts';
import { relativeTo } from '../metrics/relative.ts';

/**
 * Metrics that say what an operation costs (SPEC 4.3), with the amount below which a change of them
 * explains nothing: a hundredth of a read per query may double without anybody noticing.
 */
const COST_FLOORS = {
  cpupq: 1,
  cspq: 0.01,
  rpq: 0.01,
  rkbpq: 0.1,
  wpi: 0.01,
  wkbpi: 0.1,
  wal_bytes_per_insert: 1,
  full_page_images_per_insert: 0.001,
  fsyncs_per_insert: 0.001,
} as const satisfies Partial<Record<keyof StepMetrics, number>>;

export type CostMetric = keyof typeof COST_FLOORS;

export const COST_METRICS = Object.keys(COST_FLOORS) as readonly CostMetric[];

/** A cost per operation on both sides; null: not measured. */
export interface Cost {
  readonly metric: CostMetric;
  readonly base: number | null;
  readonly value: number | null;
}

export interface CostChange {
  readonly metric: CostMetric;
  readonly base: number;
  readonly value: number;
  /** value / base; Infinity where the base has none. */
  readonly ratio: number;
}

/** More of them would be a list, not an explanation (REPORT 2.1). */
const MOST = 3;

/** Costs of equal runs differ by as much: a smaller change explains nothing. */
const LEAST_CHANGE = 0.02;

/** Two metrics of one thing: reads and kB read, writes and kB written. One of them is told. */
const SAME_THING: Readonly<Partial<Record<CostMetric, string>>> = {
  rpq: 'read',
  rkbpq: 'read',
  wpi: 'write',
  wkbpi: 'write',
};

/**
 * The costs that moved most (|log ratio|) in the direction that explains a throughput of `ratio` times
 * the base: less per operation where it is faster, more where it is slower. At most three; a change below
 * 2% is none.
 */
export function explainingCosts(ratio: number, costs: readonly Cost[]): CostChange[] {
  return costs
    .flatMap(toChange)
    .filter((change) =>
      ratio > 1 ? change.ratio <= 1 - LEAST_CHANGE : change.ratio >= 1 + LEAST_CHANGE,
    )
    .sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)))
    .filter(isFirstOfItsThing)
    .slice(0, MOST);
}

function toChange({ metric, base, value }: Cost): CostChange[] {
  if (base === null || value === null) return [];
  const ratio = relativeTo(base, value);
  const counts = Math.max(base, value) >= COST_FLOORS[metric];
  return counts && ratio !== null ? [{ metric, base, value, ratio }] : [];
}

function isFirstOfItsThing(
  { metric }: CostChange,
  index: number,
  sorted: readonly CostChange[],
): boolean {
  const thing = (one: CostMetric): string => SAME_THING[one] ?? one;
  return sorted.findIndex((other) => thing(other.metric) === thing(metric)) === index;
}
