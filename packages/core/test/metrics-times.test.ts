import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketIndex, DECIMAL_NAMES, decimalIndex, TICKS_PER_US } from '../src/histogram.ts';
import { decimalPercents, summariseTimes } from '../src/metrics/index.ts';
import type { WorkerResult } from '../src/result.ts';
import type { Role } from '../src/step.ts';
import type { Clock, TimesResult } from '../src/times.ts';
import { goldenRows, type Row } from './metrics-golden.ts';
import { worker } from './metrics-worker.ts';

test('an empty bucket is blank, a share that would print as zero is nonzero', () => {
  assert.deepEqual(decimalPercents([0, 1, 499, 500, 99_999_000]), [
    '',
    'nonzero',
    'nonzero',
    '0.001',
    '99.999',
  ]);
});

test('without operations every cell is blank', () => {
  assert.deepEqual(decimalPercents([0, 0, 0]), ['', '', '']);
});

test('times of one kind and clock merge over the clients, others stay apart', () => {
  const summary = summariseTimes([
    workerOf(1, 'insert', [times('service', [100, 200]), times('response', [900, 900])]),
    workerOf(2, 'insert', [times('service', [300, 5000]), times('response', [900, 20_000_000])]),
    workerOf(1, 'query', [times('service', [50])]),
    workerOf(1, 'pace', []),
  ]);
  assert.deepEqual(
    summary.map(({ kind, clock, count, maxUs }) => [kind, clock, count, maxUs]),
    [
      ['insert', 'service', 4, 5000],
      ['insert', 'response', 4, 20_000_000],
      ['query', 'service', 1, 50],
    ],
  );
  assert.deepEqual(summary[0]?.decimal, [2, 1, 0, 1, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(summary[1]?.decimal, [0, 3, 0, 0, 0, 0, 0, 0, 0, 1]);
});

test('percentiles are those of all clients together', () => {
  const oneTo = (low: number, high: number) =>
    Array.from({ length: high - low + 1 }, (_, i) => low + i);
  const [summary] = summariseTimes([
    workerOf(1, 'query', [times('service', oneTo(1, 900))]),
    workerOf(2, 'query', [times('service', oneTo(901, 1000))]),
  ]);
  assert.ok(summary);
  assert.deepEqual(Object.keys(summary.percentiles), [
    'p50',
    'p90',
    'p95',
    'p99',
    'p99.9',
    'p99.99',
  ]);
  for (const [name, exact] of [
    ['p50', 500],
    ['p95', 950],
    ['p99', 990],
  ] as const) {
    const value = summary.percentiles[name] as number;
    assert.ok(value >= exact && value <= exact * 1.031, `${name} is ${value}, exactly ${exact}`);
  }
  assert.equal(summary.percentiles['p99.99'], 1000);
});

test('statements that were never executed have no times', () => {
  assert.deepEqual(summariseTimes([workerOf(1, 'insert', [times('service', [])])]), []);
  assert.deepEqual(summariseTimes([]), []);
});

test('of statements none of which was done before the step ended the slowest is known', () => {
  const waited = { ...times('service', []), maxUs: 2_000_000 };
  const [summary] = summariseTimes([workerOf(1, 'delete', [waited])]);
  assert.ok(summary);
  const { count, maxUs, percentiles } = summary;
  assert.deepEqual([count, maxUs, percentiles.p50], [0, 2_000_000, Number.NaN]);
});

test('all 14 cases of histograms_synthetic_counts.csv give the published percentages and maxima', () => {
  const clients = goldenRows('histograms_synthetic_counts.csv');
  let [checked, merged] = [0, 0];
  for (const published of goldenRows('histograms_synthetic_pct.csv')) {
    const rows = clients.filter((row) => row('case') === published('case'));
    assert.equal(rows.length, Number(published('clients')));
    const [summary] = summariseTimes(
      rows.map((row) => workerOf(Number(row('client')), 'insert', [countedTimes(row)])),
    );
    assert.ok(summary);
    assert.deepEqual(decimalPercents(summary.decimal), cells(published), published('case'));
    assert.equal((summary.maxUs / 1e6).toFixed(3), published('max'), published('case'));
    checked++;
    merged += rows.length;
  }
  assert.deepEqual([checked, merged], [14, clients.length]);
});

for (const [file, expected] of [
  ['seed003_histograms.csv', 16],
  ['html_histograms.csv', 29],
] as const) {
  test(`counts that fit the percentages in each of the ${expected} rows of ${file} print as published`, () => {
    const rows = goldenRows(file);
    for (const row of rows) {
      const what = `${row('dbms')} ${row('step')} ${row('kind')}`;
      assert.deepEqual(decimalPercents(countsThatFit(cells(row))), cells(row), what);
    }
    assert.equal(rows.length, expected);
  });
}

test('all 16 rows of seed003_histograms_pipe.csv are the cells that are not blank', () => {
  const full = goldenRows('seed003_histograms.csv');
  let checked = 0;
  for (const [i, pipe] of goldenRows('seed003_histograms_pipe.csv').entries()) {
    const row = full[i] as Row;
    assert.deepEqual([row('dbms'), row('step')], [pipe('dbms'), pipe('step')]);
    const shown = decimalPercents(countsThatFit(cells(row))).filter((cell) => cell !== '');
    const published = [...shown, 'max'].map((_, k) => pipe(`cell${k + 1}`));
    assert.deepEqual([...shown, row('max')], published);
    checked++;
  }
  assert.equal(checked, 16);
});

/** The cells of a published row as this tool prints them: zero is blank. */
function cells(row: Row): string[] {
  return DECIMAL_NAMES.map((name) => (row(name) === '0.000' ? '' : row(name)));
}

/** Counts out of ten million whose shares round to the cells, the rounding error spread evenly over them. */
function countsThatFit(published: readonly string[]): number[] {
  const total = 1e7;
  const counts = published.map((cell) =>
    cell === 'nonzero' ? 25 : Math.round((Number(cell) * total) / 100),
  );
  const shares = published.filter((cell) => cell !== '' && cell !== 'nonzero').length;
  const missing = total - counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count, i) =>
    published[i] === '' || published[i] === 'nonzero' ? count : count + missing / shares,
  );
}

function countedTimes(row: Row): TimesResult {
  const decimal = DECIMAL_NAMES.map((name) => Number(row(name)));
  const count = decimal.reduce((sum, n) => sum + n, 0);
  const maxUs = Number(row('max')) * 1e6;
  return { clock: 'service', count, maxUs, sumUs: 0, decimal, buckets: [] };
}

function times(clock: Clock, durationsUs: readonly number[]): TimesResult {
  const decimal = DECIMAL_NAMES.map(() => 0);
  const counts = new Map<number, number>();
  for (const us of durationsUs) {
    const ticks = us * TICKS_PER_US;
    decimal[decimalIndex(ticks)]! += 1;
    counts.set(bucketIndex(ticks), (counts.get(bucketIndex(ticks)) ?? 0) + 1);
  }
  return {
    clock,
    count: durationsUs.length,
    maxUs: Math.max(0, ...durationsUs),
    sumUs: durationsUs.reduce((sum, us) => sum + us, 0),
    decimal,
    buckets: [...counts].sort((a, b) => a[0] - b[0]),
  };
}

function workerOf(client: number, role: Role, measured: readonly TimesResult[]): WorkerResult {
  return worker({ client, role, times: measured });
}
