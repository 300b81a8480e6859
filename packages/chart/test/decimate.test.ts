import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketMeans, decimate, rollingMedian } from '../src/index.ts';

const seconds = Array.from({ length: 3600 }, (_, i) => i);

test('no stall disappears: least and largest value of every bucket stay, at their place', () => {
  const y = seconds.map((i) => (i === 1234 ? 0 : i === 2345 ? 900 : 100 + (i % 7)));
  const kept = decimate({ x: seconds, y }, 400);
  assert.ok(kept.x.length <= 400, `${kept.x.length} points`);
  const at = (x: number): number => kept.y[Array.from(kept.x).indexOf(x)]!;
  assert.equal(at(1234), 0);
  assert.equal(at(2345), 900);
  assert.equal(kept.x[0], 0);
  assert.equal(kept.x[kept.x.length - 1], 3599);
  assert.deepEqual(
    [...Array.from(kept.x)].sort((a, b) => a - b),
    Array.from(kept.x),
  );
});

test('few points stay as they are; gaps are no points', () => {
  const few = { x: [0, 1, 2], y: [5, Number.NaN, 7] };
  assert.equal(decimate(few, 3), few);
  assert.deepEqual(decimate(few, 2), { x: [0, 2], y: [5, 7] });
});

test('the rolling median ignores a stall, keeps the ends, and passes over gaps', () => {
  const y = seconds.map((i) => (i % 100 === 0 ? 0 : 50));
  const median = rollingMedian({ x: seconds, y }, 31, 8);
  assert.ok(Array.from(median.y).every((value) => value === 50));
  assert.equal(median.x[0], 0);
  assert.equal(median.x[median.x.length - 1], 3599);
  assert.deepEqual(rollingMedian({ x: [0, 1, 2], y: [1, Number.NaN, 4] }, 3, 1), {
    x: [0, 1, 2],
    y: [1, 2.5, 4],
  });
  assert.ok(Number.isNaN(rollingMedian({ x: [0], y: [Number.NaN] }, 3, 1).y[0]!));
});

test('means of buckets are of what was measured', () => {
  assert.deepEqual(bucketMeans({ x: [0, 1, 2, 3, 4], y: [1, 3, Number.NaN, 5, 9] }, 2), {
    x: [0.5, 2.5, 4.5],
    y: [2, 5, 9],
  });
});

test('a bucket of one second is that second, at the same place', () => {
  const seconds = { x: [0, 1, 2, 7], y: [1, 3, 5, 9] };
  assert.deepEqual(bucketMeans(seconds, 1), seconds);
});
