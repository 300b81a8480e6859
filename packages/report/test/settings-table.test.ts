import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Area, compareRuns, type Difference, type RunRecord } from '@ibench/core';
import { brokenStep, run, step } from '@ibench/core/testing';
import { buildReport, emptyTables } from '../src/index.ts';
import { findTable } from './tables.ts';

const [BASE, A1, A2, BROKEN] = ['b.base', 'b.a1', 'b.a2', 'b.broken'].map((tag) =>
  run(tag, [step('l.i1', { ips: 100 })]),
) as [RunRecord, RunRecord, RunRecord, RunRecord];

function differ(area: Area, name: string, values: Readonly<Record<string, string>>): Difference {
  const seen = Object.entries(values).map(
    ([tag, value]) =>
      [`${tag}-1`, { value, requested: area === 'setting', isDefault: false }] as const,
  );
  return { area, name, byRun: new Map(seen) };
}

test('of each tag only what differs from the base, its settings and its build', () => {
  const runs = [BASE, A1, A2];
  const found = [
    differ('setting', 'shared_buffers', { 'b.base': '1GB', 'b.a1': '2GB', 'b.a2': '1GB' }),
    differ('setting', 'wal_compression', { 'b.base': 'off', 'b.a1': 'lz4', 'b.a2': 'off' }),
    differ('build', 'sha256', {
      'b.base': 'a'.repeat(64),
      'b.a1': 'a'.repeat(64),
      'b.a2': 'b'.repeat(64),
    }),
    differ('host', 'kernel', { 'b.base': '6.1', 'b.a1': '6.12', 'b.a2': '6.1' }),
  ];
  const tables = buildReport(runs, { comparability: compareRuns(runs, found), tables: 'all' });
  const table = findTable(tables, 'settings');
  assert.deepEqual(
    table.rows.map(({ cells }) => cells.map(({ text }) => text)),
    [
      ['b.a1', 'axis', 'setting', 'shared_buffers', '2GB', '1GB'],
      ['', 'axis', 'setting', 'wal_compression', 'lz4', 'off'],
      ['b.a2', 'besides the axis', 'build', 'sha256', 'bbbbbbbbbbbb…', 'aaaaaaaaaaaa…'],
    ],
  );
  assert.deepEqual(
    table.rows.map(({ cells }) => cells[0]!.value),
    ['b.a1', 'b.a1', 'b.a2'],
  );
  const other = buildReport(runs, {
    comparability: compareRuns(runs, found),
    tables: ['settings'],
    base: 'b.a1',
  });
  assert.deepEqual(
    findTable(other, 'settings').rows.map(({ cells }) => [cells[0]!.value, cells[4]!.value]),
    [
      ['b.base', '1GB'],
      ['b.base', 'off'],
      ['b.a2', 'bbbbbbbbbbbb…'],
      ['b.a2', '1GB'],
      ['b.a2', 'off'],
    ],
  );
});

test('repeats that differ show all their values; in another order they are the same', () => {
  const second = { runId: 'b.a1-2', repeat: 2 };
  const runs = [BASE, { ...BASE, ...second, runId: 'b.base-2' }, A1, { ...A1, ...second }];
  const values = (...all: string[]): Difference => ({
    area: 'setting',
    name: 'work_mem',
    byRun: new Map(
      runs.map(({ runId }, i) => [runId, { value: all[i]!, requested: true, isDefault: false }]),
    ),
  });
  const rowsFor = (difference: Difference) =>
    buildReport(runs, { comparability: compareRuns(runs, [difference]), tables: ['settings'] });
  assert.equal(
    findTable(rowsFor(values('4MB', '4MB', '8MB', '16MB')), 'settings').rows[0]!.cells[4]!.text,
    '16MB or 8MB',
  );
  assert.deepEqual(rowsFor(values('4MB', '8MB', '8MB', '4MB')), []);
});

test('a run of which nothing was compared is not said to lack every setting', () => {
  const broken = { ...BROKEN, steps: [brokenStep('l.i1', 'failed', 'no space')] };
  const found = [differ('setting', 'work_mem', { 'b.base': '4MB', 'b.a1': '8MB' })];
  const tables = buildReport([BASE, A1, broken], {
    comparability: compareRuns([BASE, A1], found),
    tables: ['settings'],
  });
  assert.deepEqual(
    findTable(tables, 'settings').rows.map(({ cells }) => cells[0]!.value),
    ['b.a1'],
  );
  assert.match(emptyTables(['settings'], [])[0]!, /differs from the base/);
});
