import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervals } from '../src/charts/server-work.ts';

test('sampled seconds in a row make one interval, a sample without it ends it', () => {
  assert.deepEqual(intervals([0, 1, 2, 3, 4, 5, 6], [1, 2, 5, 6]), [
    [1, 3],
    [5, 7],
  ]);
});

test('samples every five seconds are in a row, too', () => {
  assert.deepEqual(intervals([0, 5, 10, 15, 20], [5, 10, 20]), [
    [5, 11],
    [20, 21],
  ]);
  assert.deepEqual(intervals([0, 1], []), []);
});
