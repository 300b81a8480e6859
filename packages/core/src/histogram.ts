/**
 * Log-linear histogram of durations, HdrHistogram's layout on one Uint32Array.
 *
 * Unit: ticks of 0.1 µs. Values below 64 ticks have a bucket each; above, every power of two is cut
 * into 64 buckets, so a bucket is at most 1/64 = 1.6% wide. The range is 0 to 2^32 − 1 ticks (429 s);
 * longer durations count in the last bucket, their true maximum is kept apart by the caller.
 * Histograms of the same layout merge by adding counts.
 */
const SUB_BITS = 6;
const SUB = 1 << SUB_BITS;

/** Ticks per microsecond. */
export const TICKS_PER_US = 10;

/** Number of buckets, and so the length of the count array. */
export const BUCKETS: number = SUB * (32 - SUB_BITS + 1);

const MAX_TICKS = 2 ** 32 - 1;

/** Bucket index of a duration. `ticks` is a whole number ≥ 0; beyond the range it lands in the last bucket. */
export function bucketIndex(ticks: number): number {
  if (ticks < SUB) return ticks;
  const value = Math.min(ticks, MAX_TICKS);
  const exponent = 31 - SUB_BITS - Math.clz32(value);
  return SUB * exponent + (value >>> exponent);
}

/** Largest duration that counts in this bucket, microseconds. */
export function bucketUpperUs(index: number): number {
  if (index < SUB) return index / TICKS_PER_US;
  const exponent = Math.floor(index / SUB) - 1;
  const sub = index - SUB * exponent;
  return ((sub + 1) * 2 ** exponent - 1) / TICKS_PER_US;
}

/** Sparse form of a count array: [bucket index, count] of the buckets that are not empty. */
export function sparseCounts(counts: ArrayLike<number>): [index: number, count: number][] {
  const sparse: [number, number][] = [];
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i] as number;
    if (count > 0) sparse.push([i, count]);
  }
  return sparse;
}

/** Sum of sparse histograms, ordered by bucket. */
export function mergeSparse(
  histograms: Iterable<readonly (readonly [index: number, count: number])[]>,
): [index: number, count: number][] {
  const sums = new Map<number, number>();
  for (const histogram of histograms) {
    for (const [index, count] of histogram) sums.set(index, (sums.get(index) ?? 0) + count);
  }
  return [...sums].sort((a, b) => a[0] - b[0]);
}

/** Percentiles that are computed and stored, as fractions by their name. */
export const PERCENTILES = {
  p50: 0.5,
  p90: 0.9,
  p95: 0.95,
  p99: 0.99,
  'p99.9': 0.999,
  'p99.99': 0.9999,
} as const;

/**
 * The duration that `fraction` of the operations do not exceed, microseconds: the upper bound of the
 * bucket with the ceil(fraction × count)-th smallest operation, and never more than `maxUs`.
 * NaN for an empty histogram. `sparse` must be ordered by bucket.
 */
export function percentileUs(
  sparse: readonly (readonly [index: number, count: number])[],
  fraction: number,
  maxUs: number,
): number {
  let total = 0;
  for (const [, count] of sparse) total += count;
  if (total === 0) return Number.NaN;
  const rank = Math.max(1, Math.ceil(fraction * total));
  let seen = 0;
  for (const [index, count] of sparse) {
    seen += count;
    if (seen >= rank) return index === BUCKETS - 1 ? maxUs : Math.min(bucketUpperUs(index), maxUs);
  }
  return maxUs;
}

/** Upper bounds of the ten decimal buckets of the published reports, seconds; the last has none. */
export const DECIMAL_BOUNDS_S = [0.000256, 0.001, 0.004, 0.016, 0.064, 0.256, 1, 4, 16] as const;

/** Names of the ten decimal buckets, as the published reports head their columns. */
export const DECIMAL_NAMES = [
  '256us',
  '1ms',
  '4ms',
  '16ms',
  '64ms',
  '256ms',
  '1s',
  '4s',
  '16s',
  'gt',
] as const;

const BOUNDS_TICKS: readonly number[] = DECIMAL_BOUNDS_S.map((s) =>
  Math.round(s * 1e6 * TICKS_PER_US),
);

/** Decimal bucket (0 to 9) of a duration; bounds are inclusive. */
export function decimalIndex(ticks: number): number {
  let i = 0;
  while (i < BOUNDS_TICKS.length && ticks > (BOUNDS_TICKS[i] as number)) i++;
  return i;
}
