import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ratePercentile } from '../src/metrics/index.ts';
import { goldenRows, readGolden } from './metrics-golden.ts';

test('a percentile of rates is the rate that so many of the seconds reach', () => {
  const perSecond = Array.from({ length: 100 }, (_, i) => ((i * 37) % 100) + 1);
  assert.equal(ratePercentile(perSecond, 50), 51);
  assert.equal(ratePercentile(perSecond, 99), 2);
});

test('halves round to the even rank', () => {
  const thirteen = [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
  assert.equal(ratePercentile(thirteen, 50), 8, '6.5 is the 6th largest');
  assert.equal(ratePercentile(thirteen.slice(0, 11), 50), 8, '5.5 is the 6th largest');
});

test('fewer than ten seconds have no percentile', () => {
  assert.equal(ratePercentile([9, 8, 7, 6, 5, 4, 3, 2, 1], 50), null);
  assert.equal(ratePercentile([], 99), null);
  assert.equal(ratePercentile([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 50), 6);
});

test('the series is left as it was', () => {
  const perSecond = Object.freeze([1, 3, 2, 5, 4, 7, 6, 9, 8, 10]);
  assert.equal(ratePercentile(perSecond, 99), 1);
});

test('all 220 rows of percentiles_synthetic.csv reproduce, for inserts and for queries', () => {
  const series = JSON.parse(readGolden('percentiles_synthetic_inputs.json').toString('utf8'));
  let checked = 0;
  for (const row of goldenRows('percentiles_synthetic.csv')) {
    const { i_ips, i_qps } = series[row('case')];
    const percent = Number(row('percentile').replace('th', ''));
    const shown = [i_ips, i_qps].map((rates) => String(ratePercentile(rates, percent) ?? 'NA'));
    const published = [row('insert_rate'), row('query_rate')];
    assert.deepEqual(shown, published, `${row('case')} ${row('percentile')}`);
    checked++;
  }
  assert.equal(checked, 220);
});
