import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packSeries, unpackSeries } from '../src/index.ts';

test('small whole numbers, gaps and places come back exactly', () => {
  const points = { x: [0, 1, 2, 3.5, 1000], y: [0, 1, Number.NaN, 1023, 7] };
  const [back] = unpackSeries(packSeries([{ points, scale: 'linear' }]));
  assert.deepEqual(Array.from(back!.x), points.x);
  assert.deepEqual(Array.from(back!.y), points.y);
});

test('large values come back within 1/2046 of the largest, zeros as zeros', () => {
  const y = Array.from({ length: 5000 }, (_, i) => (i % 50 === 0 ? 0 : 71_234.5 + 13 * (i % 977)));
  const x = y.map((_, i) => i);
  const [back] = unpackSeries(packSeries([{ points: { x, y }, scale: 'linear' }]));
  const most = Math.max(...y);
  for (const [i, value] of y.entries()) {
    assert.ok(Math.abs(back!.y[i]! - value) <= most / 2046 + 1e-9);
    if (value === 0) assert.equal(back!.y[i], 0);
  }
});

test('times for a logarithmic axis come back within 1.1%, from a tenth of a microsecond to minutes', () => {
  const y = [0.1, 1, 87, 3970, 64_000.1, 16e6, 429e6, Number.NaN, 0];
  const x = y.map((_, i) => i);
  const [back] = unpackSeries(packSeries([{ points: { x, y }, scale: 'log' }]));
  for (const [i, value] of y.slice(0, 7).entries()) {
    assert.ok(Math.abs(back!.y[i]! / value - 1) < 0.011, `${value} became ${back!.y[i]}`);
  }
  assert.ok(Number.isNaN(back!.y[7]!));
  assert.equal(back!.y[8], 0);
});

test('several series stay apart, empty ones too', () => {
  const empty = { points: { x: [], y: [] }, scale: 'linear' } as const;
  const one = { points: { x: [3], y: [4] }, scale: 'linear' } as const;
  const back = unpackSeries(packSeries([empty, one, empty]));
  assert.deepEqual(
    back.map(({ x, y }) => [Array.from(x), Array.from(y)]),
    [
      [[], []],
      [[3], [4]],
      [[], []],
    ],
  );
});
