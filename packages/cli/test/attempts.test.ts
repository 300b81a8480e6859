import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { filledStore, ibench } from './filled-store.ts';

const LEFT_OUT =
  'pg17.9.base: 1 earlier attempt is left out, since of each repeat only the last attempt counts; its run id with --run shows one';

/** run-1 crashed after l.i1 and run-2 did its repeat again; run-3 is of another build. */
function resumedPlan(t: TestContext): string {
  return filledStore(t, [
    { build: 'pg17.9', ips: 500, repeat: 1, status: 'crashed' },
    { build: 'pg17.9', ips: 1000, repeat: 1 },
    { build: 'pg18.4', ips: 1200 },
  ]);
}

interface JsonTable {
  readonly id: string;
  readonly footnotes: readonly string[];
  readonly rows: readonly { readonly values: Record<string, unknown> }[];
}

/** One table of what a command printed as JSON, with some of its columns. */
function tableOf(args: readonly string[], id: string, columns: readonly string[]) {
  const { stdout, stderr } = ibench(...args, '--format', 'json');
  assert.equal(stderr, '');
  const table = (JSON.parse(stdout) as JsonTable[]).find((one) => one.id === id);
  assert.ok(table, `no table ${id} in ${stdout}`);
  const rows = table.rows.map(({ values }) => columns.map((column) => values[column]));
  return { rows, footnotes: table.footnotes };
}

test('of one repeat only the last attempt counts, in every table, and a footnote says so', (t) => {
  const db = resumedPlan(t);
  const summary = tableOf(['table', '--db', db], 'summary', ['tag', 'n', 'l.i1']);
  assert.deepEqual(summary.rows, [
    ['pg17.9.base', 1, 1000],
    ['pg18.4.base', 1, 1200],
  ]);
  assert.ok(summary.footnotes.includes(LEFT_OUT));
  const sweep = tableOf(['sweep-summary', '--db', db], 'sweep', ['tag', 'n', 'l.i1']);
  assert.deepEqual(sweep.rows, [
    ['pg18.4.base', 1, 1.2],
    ['pg17.9.base', 1, 1],
  ]);
  assert.ok(sweep.footnotes.includes(LEFT_OUT));
  const sides = ['compare', 'pg17.9.base', 'pg18.4.base', '--db', db];
  const compared = tableOf(sides, 'comparison', ['a', 'n_a']);
  assert.deepEqual(compared.rows, [[1000, 1]]);
  assert.ok(compared.footnotes.includes(LEFT_OUT));
  const report = ibench('report', '--db', db, '--plan', 'nightly', '--out', '-').stdout;
  assert.match(report, /1 earlier attempt is left out/);
  assert.doesNotMatch(report, /run-1/);
});

test('an earlier attempt that is named by its run id is shown, apart from its repeat', (t) => {
  const db = resumedPlan(t);
  const alone = tableOf(['table', '--db', db, '--run', 'run-1'], 'summary', ['n', 'l.i1']);
  assert.deepEqual(alone, { rows: [[1, 500]], footnotes: alone.footnotes });
  const names = ['--run', 'run-1', '--run', 'pg17.9.base'];
  const both = tableOf(['table', '--db', db, ...names], 'summary', ['tag', 'n', 'l.i1']);
  assert.deepEqual(both.rows, [
    ['pg17.9.base', 1, 1000],
    ['pg17.9.base (repeat 1, attempt 1)', 1, 500],
  ]);
  assert.ok(!both.footnotes.some((note) => note.includes('left out')));
  const sides = ['compare', 'run-1', 'pg17.9.base', '--db', db];
  assert.deepEqual(tableOf(sides, 'comparison', ['a', 'b']).rows, [[500, 1000]]);
});
