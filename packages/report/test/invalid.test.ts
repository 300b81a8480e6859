import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Audit } from '@ibench/core';
import { run, step } from '@ibench/core/testing';
import { buildReport, render } from '../src/index.ts';
import { clients } from './step-parts.ts';
import { findCell, findTable } from './tables.ts';
import { variedRuns } from './varied-runs.ts';

const CHANGED: Audit = {
  name: 'settings',
  verdict: 'invalid',
  value: 1,
  bound: 0,
  reason: 'work_mem was 4096 × kB, is 1024 × kB',
};
const BUSY: Audit = { ...CHANGED, name: 'foreign-cpu', verdict: 'warned', reason: '8% foreign' };
const FINE: Audit = { ...CHANGED, verdict: 'ok' };

const qr100 = (qps: number, audits: readonly Audit[]) =>
  step('qr100', { qps, ips: 50, target_ips: 100, sla_ok: false }, { audits });

test('a step that is invalid shows its number as that, and has no value, verdict or ratio', () => {
  const tables = buildReport([
    run('base.a', [qr100(1000, [FINE])]),
    run('other.a', [qr100(700, [CHANGED])]),
  ]);
  const summary = findTable(tables, 'summary');
  assert.deepEqual(findCell(summary, 'other.a', 'qr100'), {
    value: null,
    text: '700',
    mark: 'invalid',
  });
  assert.match(summary.footnotes.join('\n'), /⊘ invalid: not to be used/);
  for (const id of ['relative', 'sla']) {
    const cell = findCell(findTable(tables, id), 'other.a', 'qr100');
    assert.deepEqual(cell, { value: null, text: 'invalid', mark: 'invalid' }, id);
  }
  const metrics = findTable(tables, 'metrics', 'qr100');
  assert.deepEqual(
    metrics.rows.map(({ cells }) => cells.at(-1)),
    [
      { value: 'base.a', text: 'base.a', mark: 'none' },
      { value: 'other.a', text: 'other.a', mark: 'invalid' },
    ],
  );
  assert.deepEqual(findCell(metrics, 'other.a', 'qps'), {
    value: null,
    text: '700',
    mark: 'invalid',
  });
  assert.match(render(tables, 'text', { colour: false }), /⊘ 700/);
  assert.doesNotMatch(render(tables, 'csv', { colour: false }), /\b700\b/);
});

test('the tables of a step that is invalid in the only run are there, marked, without values', () => {
  const spoiled = variedRuns()[0]!.steps.map((one) => ({
    ...one,
    clients: clients([10, 50], [12, 60]),
    audits: [CHANGED],
  }));
  const runs = [run('base.a', spoiled)];
  for (const id of ['histogram', 'percentiles', 'metrics', 'details', 'fairness'] as const) {
    const [table, ...more] = buildReport(runs, { tables: [id], steps: ['qr100'] });
    assert.ok(table, id);
    assert.deepEqual(more, [], id);
    assert.equal(findCell(table, 'base.a', 'tag').mark, 'invalid', id);
    const numbers = table.rows.flatMap(({ cells }) =>
      cells.filter((_, i) => table.columns[i]!.align === 'right'),
    );
    assert.deepEqual([...new Set(numbers.map(({ value }) => value))], [null], id);
    assert.deepEqual([...new Set(numbers.map(({ mark }) => mark))].sort(), MARKS_OF[id], id);
    assert.match(table.footnotes.join(), /⊘ invalid: not to be used/, id);
  }
  const merged = buildReport(runs, { tables: ['metrics'] });
  assert.match(render(merged, 'text', { colour: false }), /⊘ 47035/);
});

const MARKS_OF = {
  histogram: ['absent', 'invalid'],
  percentiles: ['invalid'],
  metrics: ['invalid'],
  details: ['absent', 'invalid'],
  fairness: ['absent', 'invalid'],
};

test('an invalid base gives nothing to compare with', () => {
  const tables = buildReport([
    run('base.a', [qr100(1000, [CHANGED])]),
    run('other.a', [qr100(700, [FINE])]),
  ]);
  assert.equal(findCell(findTable(tables, 'relative'), 'other.a', 'qr100').value, null);
});

test('an invalid repeat is in no median, and the row says so', () => {
  const repeat = (n: number, qps: number, audits: readonly Audit[]) =>
    run('base.a', [qr100(qps, audits)], { runId: `r${n}`, repeat: n });
  const runs = [repeat(1, 1000, [FINE]), repeat(2, 10, [CHANGED]), repeat(3, 1200, [BUSY])];
  const summary = findTable(buildReport(runs), 'summary');
  assert.equal(findCell(summary, 'base.a', 'qr100').value, 1100);
  assert.match(
    summary.footnotes.join('\n'),
    /median of the 2 of 3 repeats in which it is done and valid/,
  );
});

test('the warnings have every verdict but ok, invalid first, those of the run too', () => {
  const suspect: Audit = { ...BUSY, name: 'canary', reason: 'suspect: slow' };
  const steps = [qr100(1000, [FINE, BUSY, CHANGED])];
  const warnings = findTable(
    buildReport([run('base.a', steps, { audits: [suspect] })]),
    'warnings',
  );
  assert.deepEqual(
    warnings.rows.map(({ cells }) => [cells[0]?.value, cells[2]?.value, cells[4]?.value]),
    [
      ['warning', null, 'suspect: slow'],
      ['invalid', 'qr100', CHANGED.reason],
      ['warning', 'qr100', '8% foreign'],
    ],
  );
});

test('the seconds of the SLA have their table: of all clients, and of the worst one', () => {
  const figures = {
    average: 1,
    belowShare: 0,
    longestDeficitS: 0,
    largestBacklogRows: 0,
    worstWindowShare: 1,
  };
  const sla = [
    { client: null, ...figures, largestBacklogRows: 50, worstWindowShare: 0.95 },
    { client: 1, ...figures },
    {
      client: 2,
      average: 0.9,
      belowShare: 0.5,
      longestDeficitS: 7,
      largestBacklogRows: 350,
      worstWindowShare: 0.425,
    },
  ];
  const table = findTable(
    buildReport([run('base.a', [step('qr100', { qps: 1 }, { sla })])]),
    'deficits',
    'qr100',
  );
  const row = table.rows[0]?.cells.map(({ text }) => text);
  assert.deepEqual(row, [
    '100.0',
    '0.0',
    '95.0',
    '0',
    '50',
    '90.0',
    '50.0',
    '42.5',
    '7',
    '350',
    'base.a',
  ]);
});

test('of repeats from before it was kept the worst window is not made up', () => {
  const figures = { average: 1, belowShare: 0, longestDeficitS: 0, largestBacklogRows: 0 };
  const repeat = (worstWindowShare: number | null, number: number) => {
    const both = { ...figures, worstWindowShare };
    const sla = [
      { client: null, ...both },
      { client: 1, ...both },
    ];
    const more = { runId: `base.a-${number}`, repeat: number };
    return run('base.a', [step('qr100', { qps: 1 }, { sla })], more);
  };
  const shown = (...shares: (number | null)[]) => {
    const table = findTable(buildReport(shares.map(repeat)), 'deficits', 'qr100');
    const at = table.columns.flatMap(({ key }, i) => (key.endsWith('window_pct') ? [i] : []));
    return at.map((i) => table.rows[0]!.cells[i]!.text);
  };
  assert.deepEqual(shown(0.5, null), ['50.0', '50.0']);
  assert.deepEqual(shown(null), ['NA', 'NA']);
});
