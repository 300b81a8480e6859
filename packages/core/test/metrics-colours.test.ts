import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Mark, maxColumnMarks, slaMet, summaryMarks } from '../src/metrics/index.ts';
import { goldenRows, type Row } from './metrics-golden.ts';

const met = (value: number | null) => ({ value, slaMet: true });
const missed = (value: number | null) => ({ value, slaMet: false });

test('the ends of a wide column are good and bad', () => {
  assert.deepEqual(summaryMarks([met(100), met(125), met(126), met(174), met(175), met(200)]), [
    'bad',
    'bad',
    'none',
    'none',
    'good',
    'good',
  ]);
});

test('a column whose smallest value is 80% of its largest has no bad cells', () => {
  assert.deepEqual(summaryMarks([met(80), met(100)]), ['none', 'good']);
  assert.deepEqual(summaryMarks([met(79), met(100)]), ['bad', 'good']);
});

test('a cell that missed the SLA is grey and no measure of the others', () => {
  assert.deepEqual(summaryMarks([missed(900), met(200), met(100)]), ['grey', 'good', 'bad']);
  assert.deepEqual(summaryMarks([missed(900), missed(100)]), ['grey', 'grey']);
});

test('a run without a number has no mark and does not count as zero', () => {
  assert.deepEqual(summaryMarks([met(null), met(95), met(100)]), ['none', 'none', 'good']);
  assert.deepEqual(maxColumnMarks([null, 0.095, 0.1]), ['none', 'none', 'bad']);
  assert.deepEqual(summaryMarks([met(null), missed(null)]), ['none', 'none']);
});

test('in a column of slowest responses the top is bad, and the bottom of a narrow one is not good', () => {
  assert.deepEqual(maxColumnMarks([0.1, 0.125, 0.126, 0.175, 0.2]), [
    'good',
    'good',
    'none',
    'bad',
    'bad',
  ]);
  assert.deepEqual(maxColumnMarks([0.08, 0.1]), ['none', 'bad']);
});

const SUMMARY_CLASS: Readonly<Record<Mark, string>> = {
  good: 'cmax',
  bad: 'cmin',
  grey: 'cgray',
  none: 'none',
};

/**
 * The published scripts looked the SLA up under the name in the summary, which one report prefixes with
 * the number of rows: none of its query steps was found, so all count as missed.
 */
for (const [column, nameInSla] of [
  ['published_color', (dbms: string) => dbms],
  ['color_if_sla_lookup_ignored_prefix', (dbms: string) => dbms.replace(/^\d+m\./, '')],
] as const) {
  test(`all 231 cells of html_summary_colors.csv reproduce, column ${column}`, () => {
    const rows = goldenRows('html_summary_colors.csv');
    const sla = slaByRun(goldenRows('html_sla.csv'), (row) => row('source'));
    let checked = 0;
    for (const group of groupBy(rows, (row) => `${row('source')} ${row('step')}`)) {
      const marks = summaryMarks(
        group.map((row) => ({
          value: Number(row('value')),
          slaMet:
            row('step').startsWith('l') ||
            sla.get(`${row('source')} ${nameInSla(row('dbms'))} ${row('step')}`) === true,
        })),
      );
      group.forEach((row, i) => {
        const shown = SUMMARY_CLASS[marks[i] as Mark];
        assert.equal(shown, row(column), `${row('dbms')} ${row('step')}`);
        checked++;
      });
    }
    assert.equal(checked, 231);
  });
}

test('all 12 cells of seed003_summary_colors_by_rule.csv reproduce', () => {
  const rows = goldenRows('seed003_summary_colors_by_rule.csv');
  const sla = slaByRun(goldenRows('seed003_sla.csv'), () => 'seed003');
  let checked = 0;
  for (const group of groupBy(rows, (row) => row('step'))) {
    const marks = summaryMarks(
      group.map((row) => ({
        value: Number(row('value')),
        slaMet:
          row('step').startsWith('l') ||
          sla.get(`seed003 ${row('dbms').replace('20m.', '')} ${row('step')}`) === true,
      })),
    );
    group.forEach((row, i) => {
      const shown = SUMMARY_CLASS[marks[i] as Mark];
      assert.equal(shown, row('color_by_rule_not_in_seed_text'), `${row('dbms')} ${row('step')}`);
      checked++;
    });
  }
  assert.equal(checked, 12);
});

test('all 29 colours of the max column in html_histograms.csv reproduce', () => {
  const classOf = { good: 'cminr', bad: 'cmaxr', grey: 'cgray', none: 'none' } as const;
  let checked = 0;
  for (const group of groupBy(
    goldenRows('html_histograms.csv'),
    (row) => `${row('source')} ${row('step')} ${row('kind')}`,
  )) {
    const marks = maxColumnMarks(group.map((row) => Number(row('max'))));
    group.forEach((row, i) => {
      assert.equal(classOf[marks[i] as Mark], row('published_max_color'), row('dbms'));
      checked++;
    });
  }
  assert.equal(checked, 29);
});

function slaByRun(rows: readonly Row[], source: (row: Row) => string): Map<string, boolean> {
  return new Map(
    rows.map((row) => [
      `${source(row)} ${row('dbms')} ${row('step')}`,
      slaMet(Number(row('measured_ips')), Number(row('target_ips'))),
    ]),
  );
}

function groupBy(rows: readonly Row[], key: (row: Row) => string): Row[][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row]);
  return [...groups.values()];
}
