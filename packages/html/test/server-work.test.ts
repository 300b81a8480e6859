import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StepSeries } from '@ibench/core';
import { betweenSamples, intervals, serverWork, united } from '../src/charts/server-work.ts';

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

test('what had ended since the sample before was between the two, at the first since the step began', () => {
  assert.deepEqual(betweenSamples([1, 2, 3, 10], [1, 3, 10]), [
    [0, 1],
    [2, 3],
    [3, 10],
  ]);
  // Two samples of one second.
  assert.deepEqual(betweenSamples([1, 2], [0]), [[0, 1]]);
});

test('intervals that touch or overlap are one', () => {
  const all = [
    [8, 9],
    [1, 5],
    [2, 3],
    [5, 6],
  ] as const;
  assert.deepEqual(united(all), [
    [1, 6],
    [8, 9],
  ]);
});

test('a checkpoint that is seen and ends is drawn once, one between two samples is drawn as well', () => {
  const seconds = Array.from({ length: 20 }, (_, i) => i + 1);
  const server = { checkpointing: [5, 6, 7], checkpointed: [8, 12], vacuuming: [], vacuumed: [3] };
  const series = { waits: { seconds }, server } as unknown as StepSeries;
  assert.deepEqual(serverWork(series), {
    checkpoints: [
      [5, 8],
      [11, 12],
    ],
    vacuums: [[2, 3]],
  });
});
