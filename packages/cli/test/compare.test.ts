import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { filledStore, ibench, type MadeRun } from './filled-store.ts';

/** Two builds of four repeats, the second slower, and with checksums. */
function twoBuilds(t: TestContext): string {
  const build = (name: string, checksums: string, rates: readonly number[]): MadeRun[] =>
    rates.map((ips) => ({
      build: name,
      settings: { data_checksums: checksums, shared_buffers: '1' },
      ips,
    }));
  return filledStore(t, [
    ...build('pg17.9', 'off', [1000, 1010, 990, 1005]),
    ...build('pg18.4', 'on', [890, 900, 910, 905]),
  ]);
}

interface JsonTable {
  readonly id: string;
  readonly rows: readonly { readonly values: Record<string, unknown> }[];
}

/** The rows of a table of what a command printed as JSON. */
function rowsOf(stdout: string, id: string): Record<string, unknown>[] {
  const table = (JSON.parse(stdout) as JsonTable[]).find((one) => one.id === id);
  assert.ok(table, `no table ${id} in ${stdout}`);
  return table.rows.map(({ values }) => values);
}

test('the tables open with what differs besides the builds, and --strict refuses with that', (t) => {
  const db = twoBuilds(t);
  const { stdout } = ibench('table', '--db', db);
  assert.match(stdout, /^What differs between the runs\nUnder test: build\. Besides: 1 difference/);
  assert.match(stdout, /setting +data_checksums +off in pg17\.9\.base, on in pg18\.4\.base\n/);
  const strict = ibench('table', '--db', db, '--strict');
  assert.equal(strict.status, 1);
  assert.equal(strict.stdout, '');
  assert.match(strict.stderr, /setting data_checksums: off in pg17\.9\.base, on in pg18\.4\.base/);
  assert.equal(ibench('sweep-summary', '--db', db, '--strict').status, 1);
  assert.equal(ibench('table', '--db', db, '--strict', '--run', 'pg17.9.base').status, 0);
});

test('configs that differ in what they ask for alone pass --strict', (t) => {
  const db = filledStore(
    t,
    ['128MB', '1GB'].map((buffers, i) => ({
      build: 'pg18.4',
      config: `a${i}`,
      settings: { shared_buffers: buffers },
      requested: ['shared_buffers'],
      ips: 1000 + i * 200,
    })),
  );
  const { status, stdout } = ibench('sweep-summary', '--db', db, '--strict', '--format', 'json');
  assert.equal(status, 0);
  assert.deepEqual(
    rowsOf(stdout, 'sweep').map(({ tag, better }) => [tag, better]),
    [
      ['pg18.4.a1', 'l.i1'],
      ['pg18.4.a0', ''],
    ],
  );
  assert.deepEqual(rowsOf(stdout, 'sweep_dictionary'), [
    { tag: 'pg18.4.a1', area: 'setting', name: 'shared_buffers', value: '1GB', base: '128MB' },
  ]);
});

test('another seed, kernel or host is told whatever is under test', (t) => {
  const db = filledStore(t, [
    { build: 'pg17.9', ips: 1000, seed: 1, facts: { kernel: '6.1' } },
    { build: 'pg18.4', ips: 1000, seed: 2, facts: { kernel: '6.12' } },
  ]);
  const rows = rowsOf(ibench('table', '--db', db, '--format', 'json').stdout, 'comparability');
  assert.deepEqual(
    rows.map(({ area, name }) => `${area} ${name}`),
    ['host kernel', 'run seed'],
  );
});

test('compare tells each change in a sentence, with an exact p over the repeats', (t) => {
  const db = twoBuilds(t);
  const { status, stdout } = ibench('compare', 'pg17.9.base', 'pg18.4.base', '--db', db);
  assert.equal(status, 0);
  assert.match(stdout, /l\.i1: pg18\.4\.base 0\.90x \[0\.89, 0\.91\] vs pg17\.9\.base; /);
  const json = ibench('compare', 'pg17.9.base', 'pg18.4.base', '--db', db, '--format', 'json');
  const [row] = rowsOf(json.stdout, 'comparison');
  assert.deepEqual(
    [row!.a, row!.b, row!.n_a, row!.n_b, row!.verdict],
    [1002.5, 902.5, 4, 4, 'regression'],
  );
  assert.equal(row!.p, 2 / 70);
  const metrics = rowsOf(json.stdout, 'comparison_metrics');
  assert.equal(metrics.find(({ metric }) => metric === 'ips')!.ratio, 902.5 / 1002.5);
  const differing = rowsOf(json.stdout, 'comparability');
  assert.ok(
    differing.some(({ what, name }) => what === 'comes with it' && name === 'server_version'),
  );
});

test('compare of two single runs cannot tell a change from noise, and says so', (t) => {
  const db = twoBuilds(t);
  const { stdout } = ibench('compare', 'run-1', 'run-5', '--db', db);
  assert.match(stdout, /0\.89x vs run-1 \(one repeat each cannot tell it from noise\)/);
  assert.match(stdout, /cannot tell at this n/);
});

test('tables, legend and charts have the base first, then the tags as they were named', (t) => {
  const db = filledStore(
    t,
    ['a', 'b', 'c'].map((tag, i) => ({ build: 'pg18.4', tag, ips: 1000 + 200 * i })),
  );
  for (const [args, expected] of [
    [[], 'abc'],
    [['--base', 'c'], 'cab'],
    [['--run', 'c', '--run', 'a'], 'ca'],
    [['--run', 'c', '--run', 'a', '--run', 'b', '--base', 'a'], 'acb'],
  ] as const) {
    const of = args.join(' ');
    const table = ibench('table', ...args, '--db', db, '--format', 'json').stdout;
    for (const id of ['summary', 'relative', 'metrics']) {
      assert.equal(
        rowsOf(table, id)
          .map(({ tag }) => tag)
          .join(''),
        expected,
        `${id} ${of}`,
      );
    }
    const page = ibench('report', ...args, '--db', db, '--out', '-').stdout;
    const legend = [...page.matchAll(/<label [^>]*title="(\w)"/g)].map(([, tag]) => tag);
    assert.equal(legend.join(''), expected, `legend ${of}`);
    const chart = ['--step', 'l.i1', '--chart', 'insert-rate'];
    const svg = ibench('chart', ...args, ...chart, '--db', db).stdout;
    const labels = [...svg.matchAll(/class="label">(\w)</g)].map(([, tag]) => tag);
    assert.equal(labels.join(''), expected, `chart ${of}`);
  }
});

/** Each command that takes a tag, with the tag x. */
const TAKES_TAG: readonly (readonly string[])[] = [
  ['table', '--run', 'x'],
  ['table', '--base', 'x'],
  ['sweep-summary', '--base', 'x'],
  ['compare', 'x', 'y'],
  ['compare', 'y', 'x'],
  ['report', '--base', 'x', '--out', '-'],
  ['report', '--run', 'x', '--summary', '-'],
  ['chart', '--base', 'x', '--chart', 'relative'],
  ['export', '--view', 'runs', '--run', 'x'],
  ['flamegraph', '--run', 'x'],
];

test('every command finds a tag without its marks, and refuses where several could be meant', (t) => {
  const runs = ['x [debug build]', 'y'].map((tag) => ({ build: 'pg18.4', tag, ips: 1000 }));
  const one = filledStore(t, runs);
  const several = filledStore(t, [...runs, { build: 'pg18.4', tag: 'x [spin]', ips: 1000 }]);
  for (const args of TAKES_TAG) {
    const found = ibench(...args, '--db', one);
    const wasProfiled = args[0] !== 'flamegraph';
    assert.equal(found.status, wasProfiled ? 0 : 2, `${args.join(' ')}: ${found.stderr}`);
    if (wasProfiled) assert.match(found.stdout, /x \\?\[debug build\\?\]/, args.join(' '));
    else assert.match(found.stderr, /x was not profiled/);
  }
  for (const args of TAKES_TAG.slice(0, 4)) {
    const refused = ibench(...args, '--db', several);
    assert.equal(refused.status, 2, args.join(' '));
    assert.match(refused.stderr, /expected one of "x \[debug build\]", "x \[spin\]"/);
  }
});

const REFUSED: [name: string, args: string[], message: RegExp][] = [
  ['an unknown tag', ['compare', 'run-1', 'pg99'], /no such run or tag: pg99/],
  ['a run and its own tag', ['compare', 'run-1', 'pg17.9.base'], /have runs in common/],
  ['a single row', ['sweep-summary', '--run', 'run-1'], /nothing to compare/],
];

test('what cannot be compared is refused with a reason', (t) => {
  const db = twoBuilds(t);
  for (const [name, args, message] of REFUSED) {
    const { status, stdout, stderr } = ibench(...args, '--db', db);
    assert.equal(status, 2, name);
    assert.equal(stdout, '');
    assert.match(stderr, message);
  }
});
