import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cost, canDiffer, explainingCosts, mannWhitney } from '../src/index.ts';

/** Permeabilities of R's ?wilcox.test, after Hollander and Wolfe (1973), 69f. */
const AT_TERM = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
const EARLY = [1.15, 0.88, 0.9, 0.74, 1.21];

test('p is that of the published example: W = 35, one-sided p 0.1272', () => {
  assert.equal((mannWhitney(AT_TERM, EARLY)! / 2).toFixed(4), '0.1272');
});

test('groups that do not overlap have the smallest p of their sizes, 2 / (n choose a)', () => {
  assert.equal(mannWhitney([1, 2, 3], [4, 5, 6]), 2 / 20);
  assert.equal(mannWhitney([5, 6, 7, 8], [1, 2, 3, 4]), 2 / 70);
  assert.equal(mannWhitney([1], [2]), 1);
});

test('p is the same from both sides, and 1 for groups that are alike', () => {
  const [a, b] = [
    [3, 8, 1, 9],
    [2, 4, 11, 7, 5],
  ];
  assert.equal(mannWhitney(a!, b!), mannWhitney(b!, a!));
  assert.equal(mannWhitney([1, 4], [2, 3]), 1);
  assert.equal(mannWhitney([5, 5, 5], [5, 5, 5]), 1);
});

test('ties share their ranks: counted by hand for 1, 2, 2 against 2, 3', () => {
  // Ranks 1, 3, 3 and 3, 5: the sum of the first is 7 in 3 of 10 splits, 9 in 4, 11 in 3; here it is 7.
  assert.equal(mannWhitney([1, 2, 2], [2, 3]), 6 / 10);
});

test('without values on one side there is no p', () => {
  assert.equal(mannWhitney([], [1]), null);
});

test('from four and four, or three and five, repeats can tell; fewer cannot', () => {
  const sizes = [
    [1, 100],
    [2, 7],
    [2, 8],
    [3, 3],
    [3, 4],
    [3, 5],
    [4, 4],
    [0, 9],
  ] as const;
  assert.deepEqual(
    sizes.map(([a, b]) => canDiffer(a, b)),
    [true, false, true, false, false, true, true, false],
  );
});

function costs(...all: (readonly [Cost['metric'], number | null, number | null])[]): Cost[] {
  return all.map(([metric, base, value]) => ({ metric, base, value }));
}

function names(ratio: number, all: readonly Cost[]): string[] {
  return explainingCosts(ratio, all).map(({ metric }) => metric);
}

test('a faster step is explained by costs that fell, a slower one by costs that rose', () => {
  const all = costs(['cpupq', 100, 80], ['cspq', 1, 2], ['wkbpi', 10, 9], ['rpq', 1, 1]);
  assert.deepEqual(names(1.1, all), ['cpupq', 'wkbpi']);
  assert.deepEqual(names(0.9, all), ['cspq']);
});

test('the three that moved most are told; tiny amounts and changes below 2% are not', () => {
  const all = costs(
    ['cpupq', 100, 101],
    ['cspq', 1, 1.5],
    ['wkbpi', 10, 12],
    ['rkbpq', 1, 3],
    ['wpi', 1, 1.019],
    ['rpq', 0.0001, 0.005],
    ['wal_bytes_per_insert', null, 300],
  );
  assert.deepEqual(names(0.9, all), ['rkbpq', 'cspq', 'wkbpi']);
});

test('from 2% on a change is told, in both directions', () => {
  assert.deepEqual(names(0.9, costs(['cpupq', 100, 102], ['cspq', 100, 101])), ['cpupq']);
  assert.deepEqual(names(1.1, costs(['cpupq', 100, 98], ['cspq', 100, 99])), ['cpupq']);
});

test('of reads and kB read, and of writes and kB written, the one that moved more is told', () => {
  const all = costs(['rpq', 4, 1], ['rkbpq', 32, 9], ['wpi', 1, 0.9], ['wkbpi', 10, 5]);
  assert.deepEqual(names(2, all), ['rpq', 'wkbpi']);
});

test('a cost that the base did not have at all explains the most', () => {
  const found = explainingCosts(0.5, costs(['cpupq', 10, 30], ['rpq', 0, 2]));
  assert.deepEqual(
    found.map(({ metric, ratio }) => [metric, ratio]),
    [
      ['rpq', Number.POSITIVE_INFINITY],
      ['cpupq', 3],
    ],
  );
});
