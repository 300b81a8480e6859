import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StepRecord } from '@ibench/core';
import { run, step } from '@ibench/core/testing';
import { buildReport } from '../src/index.ts';
import { clients } from './step-parts.ts';
import { findCell, findTable } from './tables.ts';

const COLUMNS = [
  'clients',
  'min_rate',
  'max_rate',
  'client_rate_ratio',
  'first_finish_s',
  'last_finish_s',
  'all_active_rate',
];

function loaded(ends: [number, number][], ratio: number, active: number | null): StepRecord {
  const metrics = { ips: 1, client_rate_ratio: ratio, all_active_rate: active };
  return step('l.i0', metrics, { clients: clients(...ends) });
}

function shown(runs: Parameters<typeof buildReport>[0], tag: string): string[] {
  const table = findTable(buildReport(runs), 'fairness', 'l.i0');
  return COLUMNS.map((key) => findCell(table, tag, key).text);
}

test('a run of several clients shows its slowest and fastest, its ends, and the rate of all', () => {
  const fair = loaded(
    [
      [30, 100.4],
      [24.96, 120.2],
      [25, 120],
    ],
    100.4 / 120.2,
    340.6,
  );
  assert.deepEqual(shown([run('a', [fair], { clients: 3 })], 'a'), [
    '3',
    '100',
    '120',
    '0.84',
    '25.0',
    '30.0',
    '341',
  ]);
});

test('repeats show medians of each figure; one in which it is not defined does not count', () => {
  const repeats = [
    loaded(
      [
        [10, 100],
        [20, 50],
      ],
      0.5,
      null,
    ),
    loaded(
      [
        [10, 100],
        [12.5, 80],
      ],
      0.8,
      180,
    ),
    loaded(
      [
        [10, 100],
        [11, 90],
      ],
      0.9,
      190,
    ),
  ];
  const runs = repeats.map((one) => run('a', [one], { clients: 2 }));
  assert.deepEqual(shown(runs, 'a'), ['2', '80', '100', '0.80', '10.0', '12.5', '185']);
});

test('what is not known is NA', () => {
  const unknown = [1, 2].map((client) => ({ client, finishedS: 0, rate: null }));
  const odd = step('l.i0', { ips: 1 }, { clients: unknown });
  assert.deepEqual(shown([run('a', [odd])], 'a'), ['2', 'NA', 'NA', 'NA', '0.0', '0.0', 'NA']);
});

test('runs of one client, steps without clients and steps that failed are left out', () => {
  const alone = loaded([[10, 100]], 1, 100);
  const two = loaded(
    [
      [10, 100],
      [20, 50],
    ],
    0.5,
    150,
  );
  const tables = buildReport([
    run('alone', [alone, step('settle', {})]),
    run('two', [two, step('settle', {})], { clients: 2 }),
    run('failed', [{ ...two, status: 'failed' }], { clients: 2 }),
  ]);
  const fairness = tables.filter(({ id }) => id === 'fairness');
  assert.deepEqual(
    fairness.map(({ step: name, rows }) => [name, rows.map(({ cells }) => cells.at(-1)?.value)]),
    [['l.i0', ['two']]],
  );
  assert.ok(buildReport([run('alone', [alone])]).every(({ id }) => id !== 'fairness'));
});
