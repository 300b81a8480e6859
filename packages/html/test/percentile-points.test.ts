import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketIndex, bucketUpperUs, PERCENTILES, percentileUs } from '@ibench/core';
import { percentilePoints } from '../src/charts/percentile-points.ts';

/** Buckets of these times, as both the tables and the curve get them. */
function histogramOf(times: readonly number[]) {
  const counts = new Map<number, number>();
  for (const us of times) {
    const index = bucketIndex(us * 10);
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  const sparse = [...counts].sort((a, b) => a[0] - b[0]);
  const buckets = sparse.map(([index, count]) => ({ upperUs: bucketUpperUs(index), count }));
  return { sparse, buckets, maxUs: Math.max(...times) };
}

test('at whole nines the curve has the percentiles of the tables, its end is the slowest', () => {
  for (const count of [1, 2, 3, 7, 10, 99, 100, 101, 1000, 12_345]) {
    const { sparse, buckets, maxUs } = histogramOf(
      Array.from({ length: count }, (_, i) => 100 + i * i),
    );
    const { x, y } = percentilePoints({ buckets }, maxUs);
    for (const [name, nines] of [
      ['p90', 1],
      ['p99', 2],
      ['p99.9', 3],
      ['p99.99', 4],
    ] as const) {
      const at = x.indexOf(nines);
      const value = at < 0 ? y.at(-1) : y[at];
      assert.equal(value, percentileUs(sparse, PERCENTILES[name], maxUs), `${name} of ${count}`);
    }
    assert.equal(y.at(-1), maxUs, `the slowest of ${count}`);
  }
});

test('a slowest that is in no bucket is the end, and raises no percentile', () => {
  const { buckets } = histogramOf([100, 100, 100, 100, 100]);
  const { y } = percentilePoints({ buckets }, 9_000_000);
  assert.equal(y.at(-1), 9_000_000);
  assert.ok(y.length > 5);
  for (const us of y.slice(0, -1)) assert.equal(us, buckets[0]?.upperUs);
});
