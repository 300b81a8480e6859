import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BUCKETS,
  bucketIndex,
  bucketUpperUs,
  DECIMAL_BOUNDS_S,
  DECIMAL_NAMES,
  decimalIndex,
  mergeSparse,
  percentileUs,
  sparseCounts,
  TICKS_PER_US,
} from '../src/histogram.ts';

const MAX_TICKS = 2 ** 32 - 1;
const PERCENT_RANKS = [0.001, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 1];

test('the upper bound of a bucket counts in it and the next tick counts in the next bucket', () => {
  for (let index = 0; index < BUCKETS; index++) {
    const upper = upperTicks(index);
    assert.equal(bucketIndex(upper), index);
    if (index < BUCKETS - 1) assert.equal(bucketIndex(upper + 1), index + 1);
  }
  assert.equal(upperTicks(BUCKETS - 1), MAX_TICKS);
});

test('no bucket is wider than 3.1% of its smallest duration, and short durations are exact', () => {
  for (let index = 1; index < BUCKETS; index++) {
    const lower = upperTicks(index - 1) + 1;
    const width = upperTicks(index) - lower;
    assert.ok(width <= 0.031 * lower, `bucket ${index} goes from ${lower} by ${width}`);
    assert.ok(width >= 0);
  }
  assert.equal(bucketIndex(0), 0);
  assert.equal(bucketUpperUs(63), 6.3);
});

test('durations beyond the range count in the last bucket', () => {
  assert.equal(bucketIndex(MAX_TICKS), BUCKETS - 1);
  assert.equal(bucketIndex(2 ** 40), BUCKETS - 1);
});

test('percentiles of a histogram are those of the sorted durations, at most a bucket higher', () => {
  for (const count of [1, 2, 7, 100, 20_000]) {
    const ticks = randomTicks(count, 17 * count);
    const sorted = [...ticks].sort((a, b) => a - b);
    const maxUs = (sorted.at(-1) as number) / TICKS_PER_US;
    const sparse = histogram(ticks);
    for (const fraction of PERCENT_RANKS) {
      const exactTicks = sorted[Math.max(1, Math.ceil(fraction * count)) - 1] as number;
      const expected = Math.min(bucketUpperUs(bucketIndex(exactTicks)), maxUs);
      const computed = percentileUs(sparse, fraction, maxUs);
      assert.equal(computed, expected, `${fraction} of ${count}`);
      const exactUs = exactTicks / TICKS_PER_US;
      assert.ok(computed >= exactUs && computed <= exactUs * 1.031 + 0.1, `${exactUs}`);
    }
  }
});

test('the highest percentile is the true maximum, also beyond the range', () => {
  assert.equal(percentileUs(histogram([1005, 1006]), 1, 100.6), 100.6);
  const beyondUs = 600e6;
  assert.equal(percentileUs(histogram([beyondUs * TICKS_PER_US]), 0.5, beyondUs), beyondUs);
});

test('an empty histogram has no percentiles', () => {
  assert.ok(Number.isNaN(percentileUs([], 0.5, 0)));
});

test('merged histograms are the histogram of all durations', () => {
  const [a, b, c] = [randomTicks(500, 1), randomTicks(3000, 2), randomTicks(1, 3)];
  const merged = mergeSparse([histogram(a), histogram(b), histogram(c), []]);
  assert.deepEqual(merged, histogram([...a, ...b, ...c]));
  assert.deepEqual(mergeSparse([]), []);
});

test('the sparse form keeps the buckets that are not empty, in order', () => {
  assert.deepEqual(sparseCounts(Uint32Array.of(0, 3, 0, 0, 1)), [
    [1, 3],
    [4, 1],
  ]);
});

test('a duration on the bound of a decimal bucket counts in it, a tick more in the next', () => {
  assert.equal(decimalIndex(0), 0);
  for (const [i, bound] of DECIMAL_BOUNDS_S.entries()) {
    const ticks = Math.round(bound * 1e6 * TICKS_PER_US);
    assert.equal(decimalIndex(ticks), i, DECIMAL_NAMES[i]);
    assert.equal(decimalIndex(ticks + 1), i + 1, DECIMAL_NAMES[i + 1]);
  }
  assert.equal(decimalIndex(256 * TICKS_PER_US), DECIMAL_NAMES.indexOf('256us'));
  assert.equal(decimalIndex(2 ** 40), DECIMAL_NAMES.indexOf('gt'));
});

function upperTicks(index: number): number {
  return Math.round(bucketUpperUs(index) * TICKS_PER_US);
}

function histogram(ticks: readonly number[]): [index: number, count: number][] {
  const counts = new Uint32Array(BUCKETS);
  for (const value of ticks) counts[bucketIndex(value)]! += 1;
  return sparseCounts(counts);
}

/** Whole durations from 1 tick to a minute, evenly over the orders of magnitude; the same for the same seed. */
function randomTicks(count: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(6e8 ** (state / 2 ** 32));
  });
}
