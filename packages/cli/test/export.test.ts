import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { filledStore, IBENCH, ibench } from './filled-store.ts';

const RUNS = [
  { build: 'pg17.9', ips: 1000 },
  { build: 'pg18.4', ips: 1100 },
] as const;

type Row = Readonly<Record<string, unknown>>;

/** Everything that the store has in a view, as the database says it. */
function rowsOf(db: string, view: string): Row[] {
  const file = new Database(db, { readonly: true });
  try {
    return file.prepare(`SELECT * FROM ${view}`).all() as Row[];
  } finally {
    file.close();
  }
}

function exported(db: string, ...args: string[]): string {
  const { status, stdout, stderr } = ibench('export', '--db', db, ...args);
  assert.equal(status, 0, stderr);
  return stdout;
}

/** Records of text without quoted cells. */
function delimited(text: string, delimiter: string): Row[] {
  const [header, ...lines] = text.replace(/\n$/, '').split('\n');
  const columns = header!.split(delimiter);
  return lines.map((line) =>
    Object.fromEntries(line.split(delimiter).map((cell, i) => [columns[i]!, cell])),
  );
}

test('every view comes out whole, in every format, with the numbers of the store', (t) => {
  const db = filledStore(t, RUNS);
  for (const format of ['csv', 'tsv', 'json'] as const) {
    const out = path.join(path.dirname(db), format);
    exported(db, '--all', '--format', format, '--out', out);
    const files = fs.readdirSync(out).map((file) => path.basename(file, `.${format}`));
    for (const view of files) {
      const text = fs.readFileSync(path.join(out, `${view}.${format}`), 'utf8');
      const rows = rowsOf(db, view);
      if (format === 'json') assert.deepEqual(JSON.parse(text), rows, view);
      else assert.deepEqual(delimited(text, format === 'csv' ? ',' : '\t'), rows.map(asText), view);
    }
    assert.ok(files.includes('metrics') && files.includes('per_second'));
  }
});

function asText(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === null ? '' : String(value)]),
  );
}

test('the numbers are those of the tables', (t) => {
  const db = filledStore(t, RUNS);
  const metrics = JSON.parse(
    exported(db, '--view', 'metrics', '--format', 'json', '--run', 'run-2'),
  ) as Row[];
  const tables = JSON.parse(
    ibench('table', '--db', db, '--run', 'run-2', '--format', 'json').stdout,
  ) as { id: string; rows: { values: Row }[] }[];
  const shown = tables.find(({ id }) => id === 'metrics')!.rows[0]!.values;
  assert.equal(metrics.length, 1);
  let compared = 0;
  for (const [name, value] of Object.entries(shown)) {
    assert.deepEqual(metrics[0]![name], value, name);
    compared += typeof value === 'number' ? 1 : 0;
  }
  assert.ok(compared >= 5, `${compared} numbers compared`);
});

test('only the runs that are named are exported', (t) => {
  const db = filledStore(t, RUNS);
  const rows = delimited(exported(db, '--view', 'per_second', '--run', 'pg18.4.base'), ',');
  assert.deepEqual([...new Set(rows.map((row) => row.run_id))], ['run-2']);
  assert.equal(rows.length, 10);
});

test('what cannot be exported is refused with a reason, and no file is made', (t) => {
  const db = filledStore(t, RUNS.slice(0, 1));
  const out = path.join(path.dirname(db), 'out.csv');
  const cases: [args: string[], message: RegExp][] = [
    [
      ['--view', 'metric', '--out', out],
      /unknown view "metric", did you mean "metrics"\? \(views: /,
    ],
    [['--all'], /give --out FOLDER/],
    [['--view', 'metrics', '--out', path.dirname(db)], /this is a folder/],
  ];
  for (const [args, message] of cases) {
    const { status, stdout, stderr } = ibench('export', '--db', db, ...args);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, message);
  }
  const made = fs.readdirSync(path.dirname(db)).filter((file) => !file.startsWith('ibench.sqlite'));
  assert.deepEqual(made, []);
});

const MANY = 1_000_000;

test('a million rows pass through the same memory as twenty thousand', async (t) => {
  const few = await exportSeconds(t, 20_000);
  const many = await exportSeconds(t, MANY);
  assert.equal(many.lines, MANY + 11);
  assert.ok(many.bytes > 40 * MB, `${many.bytes} bytes are too few to prove anything`);
  const growth = many.peak - few.peak;
  assert.ok(growth < 0.75 * many.bytes, `${growth} bytes more of memory for ${many.bytes} of text`);
});

test('a reader that stops early ends the export quietly', async (t) => {
  const db = withSeconds(t, 200_000);
  const child = spawn(process.execPath, [IBENCH, 'export', '--db', db, '--view', 'per_second']);
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.once('close', resolve));
  assert.deepEqual([code, errors], [0, '']);
});

const MB = 1024 * 1024;

/** A store of one run with so many seconds more of a second client. */
function withSeconds(t: TestContext, rows: number): string {
  const db = filledStore(t, RUNS.slice(0, 1));
  const file = new Database(db);
  file
    .prepare(
      `INSERT INTO second (step_key, client, kind, second, ops, rows, max_us)
       WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
       SELECT 1, 2, 'query', i, 12345 + i % 7, 123450, 1234.5 + i FROM n`,
    )
    .run(rows);
  file.close();
  return db;
}

/** A heap in which the rows of the smaller export fit, and a tenth of the larger one's do not. */
const SMALL_HEAP = ['--max-old-space-size=48', '--max-semi-space-size=1'];

/** Exports them to a reader that looks at the program's largest memory so far at each piece. */
async function exportSeconds(t: TestContext, rows: number) {
  const args = ['export', '--db', withSeconds(t, rows), '--view', 'per_second'];
  const child = spawn(process.execPath, [...SMALL_HEAP, IBENCH, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let [bytes, lines, peak] = [0, 0, 0];
  for await (const piece of child.stdout) {
    bytes += (piece as Buffer).length;
    for (const byte of piece as Buffer) if (byte === 10) lines++;
    peak = peakMemory(child.pid as number) ?? peak;
  }
  return { bytes, lines, peak };
}

/** VmHWM of a process, bytes; undefined when it has ended. */
function peakMemory(pid: number): number | undefined {
  try {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
    const kb = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    return kb === undefined ? undefined : Number(kb) * 1024;
  } catch {
    return undefined;
  }
}
