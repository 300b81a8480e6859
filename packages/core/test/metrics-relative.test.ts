import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatRelative,
  NO_VERDICT_BAND,
  publishedRelativeVerdict,
  relativeTo,
  relativeVerdict,
} from '../src/metrics/index.ts';
import { exactly, goldenRows, meets, printed } from './metrics-golden.ts';

test('nothing over nothing is unchanged, something over nothing is infinite', () => {
  assert.equal(relativeTo(0, 0), 1);
  assert.equal(relativeTo(0, 3), Number.POSITIVE_INFINITY);
  assert.equal(relativeTo(4, 0), 0);
  assert.equal(relativeTo(4, 3), 0.75);
});

test('a ratio with something that was not measured does not exist', () => {
  assert.equal(relativeTo(null, 3), null);
  assert.equal(relativeTo(3, null), null);
  assert.equal(formatRelative(null), 'NA');
  assert.equal(relativeVerdict(null), 'none');
});

test('a ratio prints with two decimals, one over zero as inf', () => {
  assert.deepEqual([0.9578, 1, 12, Infinity].map(formatRelative), ['0.96', '1.00', '12.00', 'inf']);
});

test('five per cent less is a regression, five per cent more an improvement, in whole per cent', () => {
  const verdicts = [0.944, 0.954, 0.956, 1, 1.044, 1.046, 1.056, Infinity].map(relativeVerdict);
  assert.deepEqual(verdicts, [
    'regression',
    'regression',
    'none',
    'none',
    'none',
    'improvement',
    'improvement',
    'improvement',
  ]);
});

test('published reports leave 95% and 105% themselves unmarked', () => {
  const verdicts = [0.944, 0.946, 1.054, 1.056].map(publishedRelativeVerdict);
  assert.deepEqual(verdicts, ['regression', 'none', 'none', 'improvement']);
});

test('all 18300 ratios of jan2021_relative.csv reproduce', () => {
  let checked = 0;
  for (const row of goldenRows('jan2021_relative.csv.gz')) {
    assertRatio(row('base_value'), row('value'), row('published_ratio'));
    checked++;
  }
  assert.equal(checked, 18300);
});

test('all 60 ratios of html_relative.csv reproduce', () => {
  const rows = goldenRows('html_relative.csv');
  for (const row of rows) assertRatio(row('base'), row('value'), row('published_ratio'));
  assert.equal(rows.length, 60);
});

test('all 2 × 6 ratios of seed003_relative.csv follow from seed003_summary.csv', () => {
  const steps = ['l.i0', 'l.x', 'l.i1', 'q100.1', 'q500.1', 'q1000.1'];
  const summary = goldenRows('seed003_summary.csv');
  const base = summary[0];
  assert.ok(base);
  let checked = 0;
  for (const [i, published] of goldenRows('seed003_relative.csv').entries()) {
    const row = summary[i];
    assert.ok(row);
    assert.equal(row('dbms'), published('dbms'));
    for (const step of steps) {
      assertRatio(base(step), row(step), published(step));
      checked++;
    }
  }
  assert.equal(checked, 2 * 6);
});

test('all six ratios in the 2168 rows of sysbench_omet_relative.csv reproduce', () => {
  const columns = ['cpu_o', 'cs_o', 'r_o', 'rKB_o', 'wKB_o', 'o_s'];
  let checked = 0;
  for (const row of goldenRows('sysbench_omet_relative.csv.gz')) {
    for (const column of columns) {
      assertRatio(row(`base_${column}`), row(column), row(`ratio_${column}`));
      checked++;
    }
  }
  assert.equal(checked, 2168 * columns.length);
});

test('all 2745 ratios of sysbench_qps_relative.csv reproduce', () => {
  const rows = goldenRows('sysbench_qps_relative.csv.gz');
  for (const row of rows) assertRatio(row('base_qps'), row('qps'), row('published_ratio'));
  assert.equal(rows.length, 2745);
});

/** C's and JavaScript's last digits differ on exact ties (0.625), so the ratio is held against the print. */
function assertRatio(base: string, value: string, published: string): void {
  const ratio = relativeTo(numberOrNull(base), numberOrNull(value));
  const what = `${value} relative to ${base} is ${ratio}, published ${published}`;
  if (published === 'NA' || published === 'inf') {
    assert.equal(formatRelative(ratio), published, what);
  } else if (published === '1') {
    assert.equal(ratio, 1, what);
  } else {
    assert.ok(ratio !== null && meets(exactly(ratio), printed(published)), what);
  }
}

function numberOrNull(text: string): number | null {
  return text === 'NA' ? null : Number(text);
}

test('the band without a verdict is where no ratio has one', () => {
  const [low, high] = NO_VERDICT_BAND;
  assert.deepEqual([low - 1e-6, low + 1e-6, high - 1e-6, high + 1e-6].map(relativeVerdict), [
    'regression',
    'none',
    'none',
    'improvement',
  ]);
});
