import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slaFigures } from '../src/index.ts';

/** 100 rows a second in two statements. */
const client = (rows: readonly number[], number = 1) => ({
  client: number,
  targetRate: 100,
  rowsPerCommit: 50,
  rows,
  inserted: rows.reduce((sum, one) => sum + one, 0),
  seconds: rows.length,
});
const GOOD = {
  average: 1,
  belowShare: 0,
  longestDeficitS: 0,
  largestBacklogRows: 0,
  worstWindowShare: null,
};

test('a rate that is kept has no deficit', () => {
  assert.deepEqual(slaFigures([client([100, 100, 100])]), [
    { client: null, ...GOOD },
    { client: 1, ...GOOD },
  ]);
});

test('a stall that is worked off leaves the average whole, and shows in the other three numbers', () => {
  const [all] = slaFigures([client([100, 100, 50, 0, 0, 350, 100, 100, 0, 200])]);
  assert.deepEqual(all, {
    client: null,
    average: 1,
    belowShare: 0.4,
    longestDeficitS: 3,
    largestBacklogRows: 250,
    worstWindowShare: 1,
  });
});

test('each client is judged by itself; together one can hide the other', () => {
  const [all, first, second] = slaFigures([client([100, 100]), client([0, 200], 2)]);
  assert.deepEqual(first, { client: 1, ...GOOD });
  assert.deepEqual(second, {
    client: 2,
    average: 1,
    belowShare: 0.5,
    longestDeficitS: 1,
    largestBacklogRows: 100,
    worstWindowShare: null,
  });
  assert.deepEqual([all?.client, all?.largestBacklogRows], [null, 100]);
});

test('what is due in a second is what the schedule says, where the rate is no multiple of the rows', () => {
  const rows = [150, 100, 150, 100, 100];
  const uneven = { ...client(rows), targetRate: 120 };
  assert.deepEqual(slaFigures([uneven])[0], { client: null, ...GOOD });
});

test('a server that does less than half has a backlog that grows to the end', () => {
  const [all] = slaFigures([client([40, 40, 40, 40])]);
  assert.deepEqual(all, {
    client: null,
    average: 0.4,
    belowShare: 1,
    longestDeficitS: 4,
    largestBacklogRows: 240,
    worstWindowShare: null,
  });
});

test('the average is over the whole step, as the SLA is, where it was longer than its inserts', () => {
  const late = { ...client([100, 100, 100, 100]), inserted: 420, seconds: 5 };
  const [all, one] = slaFigures([late]);
  assert.deepEqual([all?.average, one?.average], [420 / 500, 420 / 500]);
  assert.deepEqual([all?.belowShare, all?.largestBacklogRows], [0, 0]);
});

test('a step without a whole second has no figures', () => {
  assert.deepEqual(slaFigures([]), []);
  assert.deepEqual(slaFigures([client([])]), []);
});

test('the worst window is that of ten seconds in a row with the least of what was due', () => {
  const steady = new Array<number>(12).fill(100);
  const stalled = [...steady, 0, 0, 0, 50, 450, ...steady];
  const [all, first, second] = slaFigures([client(stalled), client(new Array(29).fill(100), 2)]);
  assert.equal(first?.worstWindowShare, 0.65);
  assert.equal(second?.worstWindowShare, 1);
  assert.equal(all?.worstWindowShare, 0.825);
  assert.equal(slaFigures([client(steady.slice(3))])[0]?.worstWindowShare, null);
});
