import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import {
  type ComparedRun,
  compareRuns,
  type Difference,
  isQueryStep,
  type RunRecord,
  type StepMetrics,
  type StepRecord,
  UsageError,
} from '@ibench/core';
import { brokenStep, run, step } from '@ibench/core/testing';
import { buildReport, buildSweep, type Table } from '../src/index.ts';
import { seed003Runs } from './seed003-runs.ts';
import { findCell, findTable } from './tables.ts';

/** The sweep of runs that differ in nothing that was recorded. */
function sweep(runs: readonly RunRecord[], options: Parameters<typeof buildSweep>[2] = {}) {
  return buildSweep(runs, compareRuns(runs, []), options);
}

/** Repeats of one tag in l.i1, each with its inserts/s and more metrics. */
function repeats(
  tag: string,
  rates: readonly number[],
  metrics: Partial<StepMetrics> = {},
): RunRecord[] {
  return rates.map((ips, i) =>
    run(tag, [step('l.i1', { ips, ...metrics })], { runId: `${tag}#${i + 1}`, repeat: i + 1 }),
  );
}

/** One repeat with l.i0 and qr100; the inserts in the background reach this share of their target. */
function withQueries(tag: string, ips: number, qps: number, share = 1): RunRecord {
  return run(tag, [
    step('l.i0', { ips }),
    step('qr100', { qps, ips: 100 * share, target_ips: 100 }),
  ]);
}

function tags(table: Table): unknown[] {
  return table.rows.map(({ cells }) => cells[0]!.value);
}

test('a cell is the median over repeats relative to the median of the base, with slowest and fastest', () => {
  const runs = [...repeats('b.base', [90, 100, 110]), ...repeats('b.a1', [120, 118, 130])];
  const table = findTable(sweep(runs), 'sweep');
  assert.deepEqual(findCell(table, 'b.a1', 'l.i1'), {
    value: 1.2,
    text: '1.20 [1.18–1.30]',
    mark: 'good',
    bySize: true,
  });
  assert.equal(findCell(table, 'b.base', 'l.i1').text, '1.00 [0.90–1.10]');
  assert.equal(findCell(table, 'b.a1', 'l.i1_min').value, 1.18);
  assert.equal(findCell(table, 'b.a1', 'l.i1_n').value, 3);
});

test('a step that was taken over from another run is not counted again', () => {
  const [first, second, third] = repeats('b.a1', [100, 400, 120]) as [
    RunRecord,
    RunRecord,
    RunRecord,
  ];
  const inherited = second.steps.map(
    (one): StepRecord => ({
      ...one,
      status: 'inherited',
      metrics: null,
      inheritedFrom: 'b.base#1',
    }),
  );
  const runs = [...repeats('b.base', [100]), first, { ...second, steps: inherited }, third];
  const table = findTable(sweep(runs), 'sweep');
  assert.equal(findCell(table, 'b.a1', 'l.i1').text, '1.10 [1.00–1.20]');
  assert.equal(findCell(table, 'b.a1', 'l.i1_n').value, 2);
});

test('a row that inherited a step is not worse for it, and says where it counts', () => {
  const base = withQueries('b.base', 100, 1000);
  const [load, queries] = withQueries('b.a1', 100, 1300).steps as [StepRecord, StepRecord];
  const inherited: StepRecord = {
    ...load,
    status: 'inherited',
    metrics: null,
    inheritedFrom: base.runId,
  };
  const table = findTable(sweep([base, run('b.a1', [inherited, queries])]), 'sweep');
  assert.equal(findCell(table, 'b.a1', 'l.i0').text, 'inherited');
  assert.equal(findCell(table, 'b.a1', 'mean').value, 1.3);
  assert.equal(findCell(table, 'b.a1', 'compared').value, 1);
  assert.equal(findCell(table, 'b.a1', 'never_worse').value, 'yes');
  assert.match(table.footnotes[0]!, /^b\.a1: l\.i0 inherited from run b\.base-1/);
});

test('what an earlier attempt at the same repeat measured counts, and others say with which row', () => {
  const [load, queries] = withQueries('b.base', 100, 1000).steps as [StepRecord, StepRecord];
  const taken: StepRecord = { ...load, inheritedFrom: 'crashed', warnings: ['busy'] };
  const inherited: StepRecord = {
    ...load,
    status: 'inherited',
    metrics: null,
    inheritedFrom: 'crashed',
  };
  const runs = [run('b.base', [taken, queries]), run('b.a1', [inherited, queries])];
  const table = findTable(sweep(runs), 'sweep');
  assert.equal(findCell(table, 'b.base', 'l.i0').value, 1);
  assert.equal(findCell(table, 'b.a1', 'l.i0').text, 'inherited');
  assert.deepEqual(table.footnotes.slice(0, 2), [
    'b.base: l.i0 measured by run crashed, an earlier attempt at the same repeat, whose data it started from',
    'b.a1: l.i0 inherited from run crashed; they count for b.base',
  ]);
  const warnings = findTable(buildReport(runs, { tables: ['warnings'] }), 'warnings');
  assert.deepEqual(
    warnings.rows.map(({ cells }) => cells.map(({ text }) => text)),
    [['warning', 'b.base', 'l.i0', 'crashed', 'busy']],
  );
});

test('a row of which nothing was compared, since all was inherited, is not called "never worse"', () => {
  const base = run('b.base', [step('l.i0', { ips: 100 })]);
  const inherited = base.steps.map(
    (one): StepRecord => ({
      ...one,
      status: 'inherited',
      metrics: null,
      inheritedFrom: base.runId,
    }),
  );
  const table = findTable(sweep([base, run('b.a1', inherited)]), 'sweep');
  assert.equal(findCell(table, 'b.a1', 'compared').value, 0);
  assert.equal(findCell(table, 'b.a1', 'never_worse').value, '');
});

test('rows are sorted by geometric mean, and tell on which steps they are better or worse', () => {
  const runs = [
    withQueries('b.base', 100, 1000),
    withQueries('b.slow', 90, 1000),
    withQueries('b.mixed', 200, 500),
    withQueries('b.fast', 120, 1300),
  ];
  const table = findTable(sweep(runs), 'sweep');
  assert.deepEqual(tags(table), ['b.fast', 'b.base', 'b.mixed', 'b.slow']);
  const told = tags(table).map((tag) =>
    ['better', 'worse', 'never_worse'].map((key) => findCell(table, String(tag), key).value),
  );
  assert.deepEqual(told, [
    ['l.i0, qr100', '', 'yes'],
    ['', '', 'yes'],
    ['l.i0', 'qr100', ''],
    ['', 'l.i0', ''],
  ]);
  assert.equal(findCell(table, 'b.fast', 'mean').text, Math.sqrt(1.2 * 1.3).toFixed(2));
});

test('a change that enough repeats do not tell from noise is marked as that, and is no verdict', () => {
  const runs = [
    ...repeats('b.base', [80, 95, 105, 120]),
    ...repeats('b.noisy', [70, 85, 95, 130]),
    ...repeats('b.slow', [70, 71, 72, 79]),
    ...repeats('b.few', [70, 74, 79]),
    ...repeats('b.one', [75]),
    ...repeats('b.mixed', [60, 85, 90]),
    ...repeats('b.inside', [90]),
  ];
  const tables = sweep(runs);
  const table = findTable(tables, 'sweep');
  const told = ['b.noisy', 'b.slow', 'b.few', 'b.one', 'b.mixed', 'b.inside'].map((tag) => [
    findCell(table, tag, 'l.i1').mark,
    ...['worse', 'unsure', 'never_worse'].map((key) => findCell(table, tag, key).value),
  ]);
  assert.deepEqual(told, [
    ['unsure', '', 'l.i1', ''],
    ['bad', 'l.i1', '', ''],
    // Three against four can never be told apart, nor can one: the size alone speaks.
    ['bad', 'l.i1', '', ''],
    ['bad', 'l.i1', '', ''],
    // Unless their repeats are among those of the base.
    ['unsure', '', 'l.i1', ''],
    ['unsure', '', 'l.i1', ''],
  ]);
  assert.match(table.note, /~ beyond 5%, but the repeats do not tell it from noise/);
  assert.match(table.note, /by size only/);
  assert.deepEqual(tags(findTable(tables, 'sweep_changes')), ['b.one', 'b.few', 'b.slow']);
});

test('the marks of a sweep are those of the relative table', () => {
  const runs = [
    ...repeats('b.base', [80, 95, 105, 120]),
    ...repeats('b.noisy', [100, 105, 115, 140]),
    ...repeats('b.fast', [125, 130, 131, 140]),
    ...repeats('b.same', [99, 100, 101, 102]),
  ];
  const [ofSweep, relative] = [
    findTable(sweep(runs), 'sweep'),
    findTable(buildReport(runs, {}), 'relative'),
  ];
  const marks = ['b.base', 'b.noisy', 'b.fast', 'b.same'].map((tag) => {
    const { mark } = findCell(ofSweep, tag, 'l.i1');
    assert.equal(mark, findCell(relative, tag, 'l.i1').mark, tag);
    return mark;
  });
  assert.deepEqual(marks, ['none', 'unsure', 'good', 'none']);
});

test('a step that missed the SLA has no verdict, is not in the mean and is not "never worse"', () => {
  const runs = [withQueries('b.base', 100, 1000), withQueries('b.a1', 100, 3000, 0.5)];
  const table = findTable(sweep(runs), 'sweep');
  assert.equal(findCell(table, 'b.a1', 'qr100').mark, 'missed-sla');
  assert.equal(findCell(table, 'b.a1', 'missed_sla').value, 'qr100');
  assert.equal(findCell(table, 'b.a1', 'better').value, '');
  assert.equal(findCell(table, 'b.a1', 'mean').value, 1);
  assert.equal(findCell(table, 'b.a1', 'compared').value, 1);
  assert.equal(findCell(table, 'b.a1', 'never_worse').value, '');
});

test('where the base missed the SLA there is no verdict on any row', () => {
  const runs = [withQueries('b.base', 100, 1000, 0.5), withQueries('b.a1', 100, 3000)];
  const table = findTable(sweep(runs), 'sweep');
  assert.equal(findCell(table, 'b.a1', 'qr100').mark, 'none');
  assert.equal(findCell(table, 'b.a1', 'compared').value, 1);
  assert.match(table.footnotes.join(), /qr100: the base missed the SLA/);
});

test('a row that broke in a step of the base shows how, and is not "never worse"', () => {
  const broken = run('b.a1', [
    step('l.i0', { ips: 100 }),
    brokenStep('qr100', 'failed', 'disk full'),
  ]);
  const table = findTable(sweep([withQueries('b.base', 100, 1000), broken]), 'sweep');
  assert.equal(findCell(table, 'b.a1', 'qr100').text, 'failed');
  assert.equal(findCell(table, 'b.a1', 'never_worse').value, '');
});

test('what moved is told in the direction that explains the change, the most first, at most three', () => {
  const cost = { cpupq: 75, wkbpi: 2, cspq: 1, rpq: 4, wpi: 0.5, fsyncs_per_insert: 0.0001 };
  const less = { cpupq: 66, wkbpi: 1.98, cspq: 1.2, rpq: 1, wpi: 0.4, fsyncs_per_insert: 0.00001 };
  const runs = [...repeats('b.base', [100], cost), ...repeats('b.a1', [113], less)];
  const table = findTable(sweep(runs), 'sweep_changes');
  assert.equal(
    findCell(table, 'b.a1', 'moved').value,
    'reads/insert −75% (4.00 → 1.00), writes/insert −20% (0.500 → 0.400), CPU/insert −12% (75.0 → 66.0 µs)',
  );
  const slower = [...repeats('b.base', [113], less), ...repeats('b.a1', [100], cost)];
  assert.equal(
    findCell(findTable(sweep(slower), 'sweep_changes'), 'b.a1', 'moved').value,
    'reads/insert 4.0x (1.00 → 4.00), writes/insert +25% (0.400 → 0.500), CPU/insert +14% (66.0 → 75.0 µs)',
  );
});

test('different workloads and numbers of clients are in tables of their own, each with a base', () => {
  const four = { clients: 4 };
  const runs = [
    run('b.base', [step('l.i1', { ips: 100 })]),
    run('b.a1', [step('l.i1', { ips: 110 })]),
    run('b.base', [step('l.i1', { ips: 300 })], { runId: 'x', ...four }),
    run('b.a1', [step('l.i1', { ips: 150 })], { runId: 'y', ...four }),
    run('b.a1', [step('l.i1', { ips: 1 })], { runId: 'z', workload: 'other' }),
  ];
  const tables = sweep(runs, { base: 'b.base' }).filter(({ id }) => id === 'sweep');
  assert.deepEqual(
    tables.map(({ title }) => title),
    [
      'cached, 1 client: throughput relative to b.base',
      'cached, 4 clients: throughput relative to b.base',
    ],
  );
  assert.deepEqual(
    tables.map(({ rows }) => rows.map(({ cells }) => cells[2]!.value)),
    [
      [1.1, 1],
      [1, 0.5],
    ],
  );
});

test('a table whose load has no run of the base that was named says which other one it has', () => {
  const rate = [step('l.i1', { ips: 100 })];
  const four = { clients: 4 };
  const runs = [
    run('b.base', rate),
    run('b.a1', rate),
    run('b.a1', rate, { runId: 'y', ...four }),
    run('b.a2', rate, { runId: 'z', ...four }),
  ];
  const sweeps = sweep(runs, { base: 'b.base' }).filter(({ id }) => id === 'sweep');
  const notes = sweeps.map(({ footnotes }) => footnotes.filter((note) => /base/.test(note)));
  assert.deepEqual(notes, [[], ['no run of b.base did this work: the base of this table is b.a1']]);
  assert.match(sweeps[1]!.title, /relative to b\.a1$/);
  // A row of one load is the base there alone, and nobody is missed where none was named.
  const label = sweep(runs, { base: 'b.a1 (4 clients)' }).filter(({ id }) => id === 'sweep');
  assert.match(label[0]!.footnotes[0]!, /^no run of b\.a1 \(4 clients\) did this work/);
  for (const { footnotes } of sweep(runs)) assert.doesNotMatch(footnotes.join(), /did this work/);
});

test('the base may be named without its marks, but not where that means several rows', () => {
  const spin = repeats('b.base [spin]', [100]);
  const title = (runs: readonly RunRecord[]) =>
    findTable(sweep([...repeats('b.a1', [120]), ...runs], { base: 'b.base' }), 'sweep').title;
  assert.match(title(spin), /relative to b\.base \[spin\]$/);
  assert.match(title([...spin, ...repeats('b.base', [90])]), /relative to b\.base$/);
  assert.throws(() => title([...spin, ...repeats('b.base [debug build]', [9])]), UsageError);
});

test('rows that share no workload are refused, as is a base that is not there', () => {
  const runs = [run('b.base', [step('l.i1', { ips: 1 })])];
  assert.throws(() => sweep(runs), /nothing to compare: .* b\.base \(cached, 1 client\)/);
  assert.throws(() => sweep(repeats('b.base', [1]), { base: 'pg99' }), /"pg99" is not among/);
});

test('the dictionary has only the settings that differ from the base', () => {
  const runs = [...repeats('b.base', [1, 1]), ...repeats('b.a1', [1]), ...repeats('b.a2', [1])];
  const found = [
    setting('shared_buffers', runs, ['1GB', '1GB', '2GB', '1GB']),
    setting('wal_compression', runs, ['off', 'off', 'off', 'lz4']),
  ];
  const table = findTable(buildSweep(runs, compareRuns(runs, found)), 'sweep_dictionary');
  assert.deepEqual(
    table.rows.map(({ cells }) => cells.map(({ text }) => text)),
    [
      ['b.a1', 'setting', 'shared_buffers', '2GB', '1GB'],
      ['b.a2', 'setting', 'wal_compression', 'lz4', 'off'],
    ],
  );
});

function setting(
  name: string,
  runs: readonly ComparedRun[],
  values: readonly string[],
): Difference {
  const seen = runs.map(
    ({ runId }, i) => [runId, { value: values[i]!, requested: true, isDefault: false }] as const,
  );
  return { area: 'setting', name, byRun: new Map(seen) };
}

test('the published relative table of seed003 comes out of its published rates', () => {
  const table = findTable(sweep(seed003Runs()), 'sweep');
  const published = goldenRows('seed003_relative.csv');
  for (const row of published) {
    for (const [name, ratio] of Object.entries(row).slice(1)) {
      assert.equal(findCell(table, row.dbms!, name).text, ratio, `${row.dbms} ${name}`);
    }
  }
  assert.equal(published.length, 2);
});

test('all 915 published throughput ratios of January 2021 come out of the published rates', () => {
  const sweeps = new Map<string, Record<string, string>[]>();
  for (const row of goldenRows('jan2021_relative.csv.gz')) {
    const isThroughput = row.metric === (isQueryStep(row.step!) ? 'qps' : 'ips');
    const key = `${row.source!.replace(row.step!, '')} ${row.base_tag}`;
    if (isThroughput) sweeps.set(key, [...(sweeps.get(key) ?? []), row]);
  }
  let compared = 0;
  for (const rows of sweeps.values()) {
    const base = rows[0]!.base_tag!;
    const table = findTable(sweep(publishedRuns(base, rows), { base }), 'sweep');
    for (const { step: name, tag, published_ratio } of rows) {
      assert.equal(findCell(table, tag!, name!).text, published_ratio, `${base} ${tag} ${name}`);
      compared++;
    }
  }
  assert.equal(compared, 915);
});

/** The base and the tags compared with it, with the rate of each step. */
function publishedRuns(base: string, rows: readonly Record<string, string>[]): RunRecord[] {
  const rate = (name: string, value: string | undefined): StepRecord =>
    step(name, isQueryStep(name) ? { qps: Number(value) } : { ips: Number(value) });
  const baseSteps = new Map(rows.map((row) => [row.step!, rate(row.step!, row.base_value)]));
  const others = [...new Set(rows.map(({ tag }) => tag!))].filter((tag) => tag !== base);
  return [
    run(base, [...baseSteps.values()]),
    ...others.map((tag) =>
      run(
        tag,
        rows.filter((row) => row.tag === tag).map((row) => rate(row.step!, row.value)),
      ),
    ),
  ];
}

/** Records of the golden files, which the tests of core have. */
function goldenRows(name: string): Record<string, string>[] {
  const file = new URL(`../../../core/test/fixtures/golden/${name}`, import.meta.url);
  const bytes = readFileSync(file);
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const [header, ...lines] = text.trim().split('\n');
  const keys = header!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((v, i) => [keys[i]!, v])));
}
