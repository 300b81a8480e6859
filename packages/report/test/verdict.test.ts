import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunRecord, StepMetrics } from '@ibench/core';
import { brokenStep, run, step } from '@ibench/core/testing';
import {
  buildComparison,
  buildReport,
  cellText,
  groupRuns,
  ratioSpreads,
  summaryMarkdown,
  type Verdict,
  verdictOf,
} from '../src/index.ts';
import { findCell, findTable } from './tables.ts';

const STEPS = ['l.i1', 'qr100'];

/** Repeats of a tag that insert at these rates in l.i1. */
function repeats(
  tag: string,
  rates: readonly number[],
  costs: Partial<StepMetrics> = {},
): RunRecord[] {
  return rates.map((ips, i) =>
    run(tag, [step('l.i1', { ips, ...costs })], { runId: `${tag}-${i + 1}`, repeat: i + 1 }),
  );
}

function verdict(...runs: readonly RunRecord[]): Verdict {
  const found = verdictOf(groupRuns(runs), STEPS);
  assert.ok(found);
  return found;
}

test('a change is told with its spread and what moved most in the direction that explains it', () => {
  const { changes, notes } = verdict(
    ...repeats('pg17.a', [99, 100, 100, 101], {
      cpupq: 75,
      wkbpi: 2.5,
      cspq: 1,
      fsyncs_per_insert: 0.01,
      wal_bytes_per_insert: 500,
    }),
    ...repeats('pg19.a', [111, 113, 113, 115], {
      cpupq: 66,
      wkbpi: 2.4,
      cspq: 1.4,
      fsyncs_per_insert: 0.005,
      wal_bytes_per_insert: 495,
    }),
  );
  assert.deepEqual(changes, [
    {
      step: 'l.i1',
      verdict: 'improvement',
      ratio: 1.13,
      text: 'l.i1: pg19.a 1.13x [1.11, 1.15] vs pg17.a; flushes/insert −50% (0.0100 → 0.00500), CPU/insert −12% (75.0 → 66.0 µs), KB written/insert −4% (2.50 → 2.40)',
    },
  ]);
  assert.deepEqual(notes, []);
});

test('one repeat each, or too few, is told with the change', () => {
  const single = verdict(...repeats('pg17.a', [100]), ...repeats('pg19.a', [80]));
  assert.deepEqual(
    single.changes.map(({ text }) => text),
    [
      'l.i1: pg19.a 0.80x vs pg17.a (one repeat each cannot tell it from noise); no cost per operation moved with it',
    ],
  );
  assert.deepEqual(single.notes, ['One run each: no spread known.']);
  const few = verdict(...repeats('pg17.a', [100]), ...repeats('pg19.a', [80, 82]));
  assert.match(
    few.changes[0]!.text,
    /0\.81x \[0\.80, 0\.82\] vs pg17\.a \(2 and 1 repeats cannot tell it from noise\)/,
  );
  assert.deepEqual(few.notes, ['One run, so no spread known: pg17.a.']);
});

test('there is no verdict within 5%, nor where the repeats speak against it', () => {
  for (const rates of [[96], [104], [96, 96, 96, 96], [80, 94, 94, 130]]) {
    const base = rates.length === 1 ? [100] : [98, 99, 101, 102];
    const { changes, notes } = verdict(...repeats('pg17.a', base), ...repeats('pg19.a', rates));
    assert.deepEqual(changes, [], rates.join());
    assert.equal(notes[0], 'No step differs from pg17.a by 5% or more beyond noise.');
  }
  for (const [rate, kind] of [
    [95, 'regression'],
    [105, 'improvement'],
  ] as const) {
    const { changes } = verdict(...repeats('pg17.a', [100]), ...repeats('pg19.a', [rate]));
    assert.deepEqual(
      changes.map((change) => change.verdict),
      [kind],
    );
  }
  assert.equal(verdictOf(groupRuns(repeats('pg17.a', [100, 50])), STEPS), null);
});

test('where nothing can be compared, that is said and why, and not that nothing changed', () => {
  const base = repeats('pg17.a', [100]);
  const otherLoad = run('pg19.a', [step('l.i1', { ips: 100 })], { workload: 'large', clients: 4 });
  const none = verdict(...base, otherLoad);
  assert.deepEqual(none.changes, []);
  assert.deepEqual(none.notes.slice(0, 2), [
    'Nothing here can be compared with pg17.a.',
    'Not compared with pg17.a (workload cached, 1 client), since they did other work: pg19.a (workload large, 4 clients).',
  ]);
  const some = verdict(...base, ...repeats('pg19.b', [50]), otherLoad);
  assert.equal(some.changes.length, 1);
  assert.match(
    some.notes[0]!,
    /^Not compared with pg17\.a \(.*: pg19\.a \(workload large, 4 clients\)\.$/,
  );
  const broken = run('pg19.a', [brokenStep('l.i1', 'failed', 'no space')], { status: 'failed' });
  assert.equal(
    verdict(...base, broken).notes[0],
    'Nothing here can be compared with pg17.a: no step was done by both, validly and within the SLA.',
  );
});

test('the relative table marks by the rule of the verdict, and says where it is by size only', () => {
  const base = repeats('pg17.a', [98, 99, 101, 102]);
  const noisy = repeats('pg19.a', [80, 94, 94, 130]);
  const slower = repeats('pg19.b', [80, 81, 82, 83]);
  const table = findTable(buildReport([...base, ...noisy, ...slower]), 'relative');
  assert.equal(cellText(findCell(table, 'pg19.a', 'l.i1')), '~ 0.94');
  assert.equal(cellText(findCell(table, 'pg19.b', 'l.i1')), '▼ 0.81');
  assert.match(table.note, /~ beyond 5%, but the repeats do not tell it from noise/);
  assert.doesNotMatch(table.note, /by size only/);
  assert.deepEqual(verdict(...base, ...noisy).changes, []);
  const compared = buildComparison(
    { a: { name: 'a', runs: base }, b: { name: 'b', runs: noisy } },
    { runs: [], axes: [], differences: [] },
  );
  const [row] = findTable(compared, 'comparison').rows;
  assert.ok(row!.cells.some(({ value }) => value === 'not told from noise'));

  const single = findTable(
    buildReport([...repeats('pg17.a', [100]), ...repeats('pg19.a', [80])]),
    'relative',
  );
  assert.equal(cellText(findCell(single, 'pg19.a', 'l.i1')), '▼ 0.80');
  assert.match(single.note, /one repeat: by size only/);
  assert.doesNotMatch(single.note, /~/);
});

test('where too few repeats lie on both sides of the base, nothing is told anywhere, else it is by size only', () => {
  const base = repeats('pg17.a', [95, 105]);
  for (const [rates, mark, bySize] of [
    [[31, 236], 'unsure', undefined],
    [[104, 140], 'unsure', undefined],
    [[100], 'none', undefined],
    [[80], 'bad', true],
    [[120, 130], 'good', true],
    [[120, 130, 140, 150], 'good', true],
  ] as const) {
    const runs = [...base, ...repeats('pg19.a', rates)];
    const cell = findCell(findTable(buildReport(runs), 'relative'), 'pg19.a', 'l.i1');
    assert.deepEqual([cell.mark, cell.bySize], [mark, bySize], rates.join());
    const isTold = mark === 'good' || mark === 'bad';
    assert.equal(verdict(...runs).changes.length, isTold ? 1 : 0, rates.join());
    const [, row] = groupRuns(runs);
    const [spread] = ratioSpreads(row!, groupRuns(base)[0]!, STEPS);
    assert.deepEqual([spread!.mark, spread!.bySize], [mark, bySize === true], rates.join());
    const compared = buildComparison(
      { a: { name: 'a', runs: base }, b: { name: 'b', runs: runs.slice(2) } },
      { runs: [], axes: [], differences: [] },
    );
    const { cells } = findTable(compared, 'comparison').rows[0]!;
    assert.equal(cells[3]!.mark, isTold ? 'none' : mark, `compare: ${rates.join()}`);
    assert.equal(cells[7]!.value, 'cannot tell at this n');
  }
});

test('the largest six changes are told, the number of others, and which steps had warnings', () => {
  const tags = [90, 80, 70, 60, 50, 40, 130, 92].map((rate, i) => repeats(`pg19.c${i}`, [rate]));
  const warned = run('pg19.w', [step('l.i1', { ips: 10 }, { warnings: ['steal'] })]);
  const { changes, notes } = verdict(...repeats('pg17.a', [100]), ...tags.flat(), warned);
  assert.deepEqual(
    changes.map(({ ratio }) => ratio),
    [0.1, 0.4, 0.5, 0.6, 0.7, 1.3],
  );
  assert.ok(notes.includes('And 3 more: see the relative table.'));
  assert.ok(notes.includes('With warnings: pg19.w l.i1.'));
});

test('the summary is markdown: title, what it is about, changes, notes, tables', () => {
  const runs = [...repeats('pg17.a', [100]), ...repeats('pg19|b', [80], { cpupq: 3 })];
  const tables = buildReport(runs, { tables: ['relative'] });
  assert.equal(
    summaryMarkdown({
      title: 'pg17.a, pg19|b',
      about: ['1 client', '2 CPUs'],
      notDone: ['pg19|b (run 7): crashed'],
      verdict: verdict(...runs),
      tables,
    }),
    `## pg17.a, pg19\\|b

1 client

2 CPUs

### Read this first

- pg19\\|b (run 7): crashed

### What changed

- ▼ l.i1: pg19\\|b 0.80x vs pg17.a (one repeat each cannot tell it from noise); no cost per operation moved with it

One run each: no spread known.

### Throughput relative to pg17.a

1.10 is 10% more throughput than the base. ▲ improvement (≥ 1.05), ▼ regression (≤ 0.95), one repeat: by size only, ✗ missed the SLA

| tag | l.i1 |
| --- | ---: |
| pg17.a | 1.00 |
| pg19\\|b | ▼ 0.80 |
`,
  );
  assert.doesNotMatch(
    summaryMarkdown({ title: 'one', about: [], notDone: [], verdict: null, tables: [] }),
    /What changed|Read this/,
  );
});
