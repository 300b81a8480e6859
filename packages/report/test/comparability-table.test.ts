import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Area, type ComparedRun, compareRuns, type Difference } from '@ibench/core';
import { run, step } from '@ibench/core/testing';
import { buildReport, surpriseLines, type Table } from '../src/index.ts';
import { findTable } from './tables.ts';

const RUNS = ['pg17.9.base', 'pg18.4.base'].map((tag) =>
  run(tag, [step('l.i0', { ips: 100 })], { build: tag.slice(0, 6), config: 'base' }),
);

function differ(
  area: Area,
  name: string,
  values: readonly string[],
  runs: readonly ComparedRun[] = RUNS,
): Difference {
  const seen = runs.map(
    ({ runId }, i) => [runId, { value: values[i]!, requested: false, isDefault: true }] as const,
  );
  return { area, name, byRun: new Map(seen) };
}

function texts(table: Table): string[][] {
  return table.rows.map(({ cells }) => cells.map(({ text }) => text));
}

test('a report opens with what differs besides the axis, apart from what comes with it', () => {
  const found = [
    differ('build', 'sha256', ['aa', 'bb']),
    differ('setting', 'server_version', ['17.9', '18.4']),
    differ('setting', 'data_checksums', ['off', 'on']),
  ];
  const comparability = compareRuns(RUNS, found);
  const tables = buildReport(RUNS, { comparability });
  assert.equal(tables[0]!.id, 'comparability');
  assert.match(tables[0]!.note, /^Under test: build\. Besides: 1 difference,/);
  assert.deepEqual(texts(tables[0]!), [
    ['besides the axis', 'setting', 'data_checksums', 'off in pg17.9.base, on in pg18.4.base'],
  ]);
  assert.deepEqual(tables[0]!.footnotes, [
    'come with the build: sha256, server_version (all with ibench compare A B)',
  ]);
  assert.deepEqual(surpriseLines(comparability), [
    'setting data_checksums: off in pg17.9.base, on in pg18.4.base',
  ]);
});

test('where nothing but the axis differs, the report says so', () => {
  const comparability = compareRuns(RUNS, [differ('build', 'sha256', ['aa', 'bb'])]);
  const table = findTable(buildReport(RUNS, { comparability }), 'comparability');
  assert.equal(table.note, 'Under test: build. Nothing else differs');
  assert.deepEqual(table.rows, []);
});

test('of checksums the first digits are shown', () => {
  const digests = ['a', 'b'].map((digit) => digit.repeat(64));
  const comparability = compareRuns(RUNS, [differ('client', 'library_sha256', digests)]);
  assert.deepEqual(surpriseLines(comparability), [
    'client library_sha256: aaaaaaaaaaaa… in pg17.9.base, bbbbbbbbbbbb… in pg18.4.base',
  ]);
});

test('where nothing differs there is no such table', () => {
  const tables = buildReport(RUNS, { comparability: compareRuns(RUNS, []) });
  assert.ok(tables.every(({ id }) => id !== 'comparability'));
});

test('long lists of names and tags are cut, with the count and how to see the rest', () => {
  const runs = Array.from({ length: 40 }, (_, i) => run(`pg18.a${i}`, [step('l.i0', { ips: 1 })]));
  const values = runs.map((_, i) => (i === 7 ? '6.12' : '6.1'));
  const found = Array.from({ length: 20 }, (_, i) => differ('host', `fact${i}`, values, runs));
  const comparability = compareRuns(runs, found);
  const table = findTable(buildReport(runs, { comparability }), 'comparability');
  assert.equal(table.rows.length, 12);
  assert.equal(
    table.rows[0]!.cells[3]!.text,
    '6.1 in pg18.a0, pg18.a1, pg18.a2, pg18.a3 and 35 more, 6.12 in pg18.a7',
  );
  assert.match(
    table.footnotes[0]!,
    /^8 more differences besides the axis: all with ibench compare/,
  );
});
