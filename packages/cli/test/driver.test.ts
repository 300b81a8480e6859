import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import {
  backendOf,
  processesOf,
  query,
  type Run,
  type RunChoice,
  runRow,
  sql,
  startRun,
  steps,
  temporaryDirectory,
  until,
  untilMeasured,
  untilNothingLeft,
  untilRunning,
  workerOf,
  worldOf,
} from './support.ts';

const LOADED = ['l.i0 done', 'l.x done', 'l.i1 done', 'l.i2 done', 'settle done'];
const QUERIES = ['qr100', 'qp100', 'qr500', 'qp500', 'qr1000', 'qp1000'];
const ALL_DONE = [...LOADED, ...QUERIES.map((step) => `${step} done`)];

/** What a run is given beside numbers. */
type Words = Readonly<Record<string, string | boolean>>;

function withDriver(t: TestContext, words: Words = {}, choice: RunChoice = {}): Run {
  const run = startRun(t, { ...choice, args: ['--driver', 'postgres.js', ...setting(words)] });
  return Object.assign(run, { tag: `${run.tag} [postgres.js]` });
}

function setting(words: Words): string[] {
  return Object.entries(words).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
}

describe('a run with postgres.js', { concurrency: 2 }, () => {
  const short = { rows: 5000, l_i1_rows: 1000, l_i2_rows: 200, read_write_seconds: 1 };

  test('is done, and says in the store and in every table that it was postgres.js', async (t) => {
    const run = withDriver(t, {}, { set: short });
    assert.deepEqual(await run.ended, { code: 0, signal: null }, run.stderr());
    assert.deepEqual(steps(run), ALL_DONE);
    const facts = query(run, `SELECT name, value FROM client_facts JOIN runs USING (run_id)`);
    const { driver, driver_version, library, spin, pin } = Object.fromEntries(
      facts.map(({ name, value }) => [name, value]),
    );
    assert.deepEqual(
      { driver, driver_version, library, spin, pin },
      { driver: 'postgres.js', driver_version: '3.4.9', library: null, spin: 'false', pin: 'none' },
    );
    const tables = run
      .stdout()
      .split('\n')
      .filter((line) => line.includes(run.tag.split(' ')[0] as string));
    assert.ok(tables.length > 10);
    for (const line of tables) assert.ok(line.includes(run.tag), line);
    checkQueries(run);
  });

  test('is done with the other ways of sending statements', async (t) => {
    const run = withDriver(
      t,
      { insert_method: 'prepared', prepared_deletes: true, prepared_queries: false },
      { set: { ...short, getmin_statements: 3, getmax_queries: 5 } },
    );
    assert.deepEqual(await run.ended, { code: 0, signal: null }, run.stderr());
    assert.deepEqual(steps(run), ALL_DONE);
    checkQueries(run);
  });

  test('writes the same rows as libpq from the same seed, and deletes the same', async (t) => {
    const expected = await rowsAtSettle(startRun(t, atSettle));
    for (const [insert_method, prepared_deletes] of [
      ['values', false],
      ['prepared', true],
      ['unnest', false],
      ['singleton', true],
    ] as const) {
      const run = withDriver(t, { insert_method, prepared_deletes }, atSettle);
      assert.deepEqual(await rowsAtSettle(run), expected, insert_method);
    }
  });
});

/** Range queries find ten rows each, but for a few at the end of so small a table. */
function checkQueries(run: Run): void {
  const rows = query(
    run,
    `SELECT step, rows_per_query AS n FROM metrics WHERE tag = :tag AND step LIKE 'qr%'`,
  );
  assert.equal(rows.length, 3);
  for (const { step, n } of rows) assert.ok(Number(n) > 9 && Number(n) <= 10, `${step}: ${n}`);
}

/** A run that waits in settle, when only its own inserts and deletes have made the table. */
const atSettle: RunChoice = {
  set: { rows: 2000, l_i1_rows: 500, l_i2_rows: 103, settle_seconds: 300 },
};

/** Number and checksum of the rows but for their time, which is checked here; then the run is interrupted. */
async function rowsAtSettle(run: Run): Promise<object> {
  await untilRunning(run, 'settle');
  const [row] = await sql(
    run,
    `select count(*)::int as n,
       md5(string_agg(concat_ws(',', transactionid, cashregisterid, customerid, productid, price, data),
         ';' order by transactionid)) as rows,
       min(dateandtime) > now() at time zone 'utc' - interval '10 minutes'
         and max(dateandtime) <= clock_timestamp() at time zone 'utc' as are_new,
       bool_or(extract(microseconds from dateandtime)::bigint % 1000 <> 0) as have_microseconds
     from pi1`,
  );
  const { n, rows, are_new, have_microseconds } = row ?? {};
  assert.deepEqual(
    { n, are_new, have_microseconds },
    { n: 2000, are_new: true, have_microseconds: true },
  );
  run.child.kill('SIGINT');
  assert.deepEqual(await run.ended, { code: 130, signal: null });
  return { rows };
}

describe('a run with postgres.js that goes wrong', { concurrency: 2 }, () => {
  for (const [role, name, step] of [
    ['insert', 'inserter', 'l.i0'],
    ['delete', 'deleter', 'qr100'],
    ['query', 'querier', 'qr100'],
  ] as const) {
    test(`${step}: a terminated backend of the ${name} is told with its SQLSTATE, and nothing is left`, async (t) => {
      const set = step === 'l.i0' ? { rows: 10_000_000 } : {};
      const run = withDriver(t, {}, { set });
      await untilMeasured(run, step);
      const seen = worldOf(run);
      await sql(run, `select pg_terminate_backend(${await backendOf(run, role)})`);
      assert.deepEqual(await run.ended, { code: 1, signal: null });
      const [row] = query(run, `SELECT * FROM steps WHERE tag = :tag AND step = '${step}'`);
      assert.equal(row?.status, 'failed');
      assert.equal(row?.sqlstate, '57P01');
      assert.equal(
        row?.message,
        `the ${name} of client 1 failed (SQLSTATE 57P01): terminating connection due to administrator command`,
      );
      await untilNothingLeft(run, seen);
    });
  }

  test('a backend that is killed is told as that and as a lost connection, and nothing is left', async (t) => {
    const run = withDriver(t, {}, { set: { rows: 10_000_000 } });
    await untilMeasured(run, 'l.i0');
    const seen = worldOf(run);
    const pid = await backendOf(run, 'insert');
    process.kill(pid, 'SIGKILL');
    assert.deepEqual(await run.ended, { code: 1, signal: null });
    const [row] = query(run, `SELECT * FROM steps WHERE tag = :tag AND step = 'l.i0'`);
    assert.equal(row?.sqlstate, null);
    // With the reason where a statement was under way, without where the next was about to be sent.
    assert.match(
      String(row?.message),
      RegExp(
        `^the backend of the inserter of client 1: [\\w ]+ \\(PID ${pid}\\) was terminated by signal 9: Killed; the inserter of client 1 failed: the connection to the server is lost( \\([A-Z_]+\\))?\n`,
      ),
    );
    await untilNothingLeft(run, seen);
  });

  test('a worker and its thread end with a runner that is killed', async (t) => {
    const run = withDriver(t);
    await untilMeasured(run, 'qr100');
    const workers = ['pace', 'insert', 'delete', 'query'].map((role) => workerOf(run, role));
    const left = (): number =>
      processesOf(run, null).filter(({ pid }) => workers.includes(pid)).length;
    assert.equal(left(), 4);
    run.child.kill('SIGKILL');
    await until('no worker is left', () => left() === 0);
  });

  test('Ctrl-C ends it in order and leaves nothing', async (t) => {
    const run = withDriver(t);
    await untilMeasured(run, 'qr100');
    const seen = worldOf(run);
    run.child.kill('SIGINT');
    assert.deepEqual(await run.ended, { code: 130, signal: null });
    assert.equal(runRow(run).status, 'interrupted');
    await untilNothingLeft(run, seen);
  });
});

describe('the choice of a driver', () => {
  test('is never made silently: a libpq that cannot be loaded is refused', async (t) => {
    const library = path.join(temporaryDirectory(t), 'libpq.so.5');
    fs.writeFileSync(library, 'not a library');
    const run = startRun(t, { args: ['--libpq', library] });
    assert.deepEqual(await run.ended, { code: 2, signal: null });
    assert.ok(run.stderr().includes(`--libpq ${library}: is no libpq`), run.stderr());
    assert.ok(run.stderr().includes('--driver postgres.js'), run.stderr());
    assert.deepEqual(fs.readdirSync(run.runsDirectory), []);
  });

  for (const [args, message] of [
    [['--driver', 'libpqxx'], /Invalid values:\s+Argument: driver, Given: "libpqxx"/],
    [['--driver', 'postgres.js', '--set', 'insert_method=copy'], /does not do insert_method=copy/],
    [['--driver', 'postgres.js', '--set', 'insert_method=pipeline'], /insert_method=pipeline: it/],
    [['--driver', 'postgres.js', '--spin'], /--spin: expected --driver libpq/],
    [['--driver', 'postgres.js', '--libpq', 'x'], /--libpq x: not used with --driver postgres.js/],
    [['--libpq', 'nowhere/libpq.so'], /--libpq nowhere\/libpq.so: no such file/],
    [['--spin', '--pin', 'same'], /--spin --pin same: /],
    [['--pin', 'near'], /Invalid values:\s+Argument: pin, Given: "near"/],
  ] as const) {
    test(`${args.join(' ')} is refused before anything starts`, async (t) => {
      const run = startRun(t, { args });
      assert.deepEqual(await run.ended, { code: 2, signal: null });
      assert.match(run.stderr(), message);
      assert.deepEqual(fs.readdirSync(run.runsDirectory), []);
    });
  }

  test('polling is part of the label', async (t) => {
    const run = startRun(t, { args: ['--spin'], set: { rows: 500, l_i1_rows: 10, l_i2_rows: 10 } });
    Object.assign(run, { tag: `${run.tag} [spin]` });
    await untilRunning(run, 'l.i0');
    run.child.kill('SIGINT');
    await run.ended;
    assert.ok(run.stdout().includes(run.tag), run.stdout());
  });
});
