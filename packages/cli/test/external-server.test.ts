import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isRunning, processToken } from '@ibench/host';
import {
  folderOf,
  query,
  type Run,
  runRow,
  startRun,
  steps,
  temporaryDirectory,
  until,
  untilMeasured,
  untilNothingLeft,
  untilRunning,
  worldOf,
} from './support.ts';
import { fakeSsh, SECRET, startUserServer, TLS, type UserServer } from './user-server.ts';

const QUICK = { read_write_seconds: 1 };
const STEPS = 11;

test('a run on a server that is already there', async (t) => {
  const server = await startUserServer(t);
  const token = processToken(server.pid) as string;
  const run = startRun(t, { set: QUICK, args: ['--server', server.url], canary: 'run' });
  await until('it says something', () => run.stderr().length > 0);
  const seen = new Set<string>();
  let over = false;
  void run.ended.then(() => {
    over = true;
  });
  while (!over) {
    for (const line of commandLines()) if (line.includes(SECRET)) seen.add(line);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.deepEqual(await run.ended, { code: 0, signal: null }, run.stderr());

  await t.test('ends done, with every step, under the names of what it ran on', () => {
    const { status, build, config } = runRow(run);
    assert.deepEqual([status, build, config], ['done', 'pg18.4', 'external']);
    assert.equal(steps(run).filter((step) => step.endsWith(' done')).length, STEPS);
  });

  await t.test('tells the password to nobody', () => {
    const encoded = encodeURIComponent(SECRET);
    assert.deepEqual([...seen], []);
    for (const file of filesBelow(run.runsDirectory)) {
      const bytes = fs.readFileSync(file);
      for (const text of [SECRET, encoded]) assert.equal(bytes.includes(text), false, file);
    }
    for (const text of [run.stdout(), run.stderr()]) assert.doesNotMatch(text, /s3cr3t/);
    assert.match(
      String(runRow(run).command_line),
      /--server 'postgres:\/\/app:\*\*\*@127\.0\.0\.1/,
    );
  });

  await t.test('has all settings of the server, none of them requested', () => {
    const rows = query(run, 'SELECT name, requested, actual FROM settings');
    assert.ok(rows.length > 300, String(rows.length));
    assert.equal(rows.find(({ name }) => name === 'shared_buffers')?.actual, '8192');
    assert.deepEqual(new Set(rows.map(({ requested }) => requested)), new Set([null]));
  });

  await t.test('measures CPU and memory, since the server runs on this host', () => {
    const rows = query(run, "SELECT * FROM metrics WHERE tag = :tag AND step <> 'settle'");
    for (const row of rows) {
      for (const column of ['cpupq', 'cspq', 'fgcpupq', 'clcpupq', 'otcpupq', 'rss', 'dbgb1']) {
        assert.notEqual(row[column], null, `${column} in ${row.step}`);
      }
    }
    assert.equal(hostFact(run, 'read_over'), 'local');
  });

  await t.test('asks the host of the client for its fixed work, before and after', () => {
    const rows = query(run, 'SELECT moment, cpu_ms FROM canary ORDER BY canary_key');
    assert.deepEqual(
      rows.map(({ moment }) => moment),
      ['before', 'after'],
    );
    for (const { cpu_ms } of rows) assert.ok(Number(cpu_ms) > 0);
  });

  await t.test('leaves the server running, and without its tables', async () => {
    assert.equal(isRunning(server.pid, token), true);
    assert.deepEqual(await tablesOf(server), []);
    assert.equal(fs.existsSync(path.join(folderOf(run), 'data')), false);
  });
});

test('a table that ibench did not make is refused, and dropped only when told so', async (t) => {
  const server = await startUserServer(t);
  await server.sql('create table pi1 (precious int); alter table pi1 owner to app');
  const refused = startRun(t, { args: ['--server', server.url] });
  assert.deepEqual(await refused.ended, { code: 2, signal: null });
  assert.match(
    refused.stderr(),
    /^ibench: the table pi1 in database app was not made by ibench .*--drop-tables\n$/,
  );
  assert.deepEqual(await tablesOf(server), ['pi1']);
  assert.deepEqual(fs.readdirSync(refused.runsDirectory), []);

  const args = ['--server', server.url, '--drop-tables', '--keep-tables'];
  const allowed = startRun(t, { set: QUICK, args });
  assert.deepEqual(await allowed.ended, { code: 0, signal: null }, allowed.stderr());
  assert.deepEqual(await tablesOf(server), ['pi1']);
  const [comment] = await server.sql(`select obj_description('pi1'::regclass) as mark`);
  assert.equal(comment?.mark, `ibench ${runRow(allowed).run_id}`);

  // What ibench made may go without a word.
  const again = startRun(t, { args: ['--server', server.url] });
  await untilRunning(again, 'l.i1');
  again.child.kill('SIGINT');
  assert.deepEqual(await again.ended, { code: 130, signal: null });
  assert.deepEqual(await tablesOf(server), []);
});

test('an interrupt leaves the server running, no worker, and no table', async (t) => {
  const server = await startUserServer(t);
  const token = processToken(server.pid) as string;
  const run = startRun(t, { args: ['--server', server.url] });
  await untilMeasured(run, 'qr100');
  const seen = worldOf(run);
  const second = startRun(t, { args: ['--server', server.url] });
  assert.deepEqual(await second.ended, { code: 2, signal: null });
  assert.match(second.stderr(), /another run uses this database/);
  run.child.kill('SIGTERM');
  assert.deepEqual(await run.ended, { code: 130, signal: null });
  assert.equal(runRow(run).status, 'interrupted');
  await untilNothingLeft(run, seen);
  assert.equal(isRunning(server.pid, token), true);
  assert.deepEqual(await tablesOf(server), []);
});

test('a server that is restarted fails the step', async (t) => {
  const server = await startUserServer(t);
  const run = startRun(t, { set: { settle_seconds: 300 }, args: ['--server', server.url] });
  await until('settle has nothing left to do but wait', async () => {
    const rows = await server.sql(
      `select 1 from pg_stat_activity where application_name like 'ibench/%/maintenance/1'
         and state = 'idle' and query = 'checkpoint'`,
    );
    return rows.length === 1;
  });
  server.control('restart', '-m', 'fast');
  assert.deepEqual(await run.ended, { code: 1, signal: null });
  const [row] = query(
    run,
    "SELECT status, message FROM steps WHERE tag = :tag AND step = 'settle'",
  );
  assert.equal(row?.status, 'failed');
  assert.match(String(row?.message), /the server is gone: its main process, pid \d+, has ended/);
  // The run cannot wait until the server is back; what it leaves is marked as its own.
  for (const table of await until('the server is back', () => tablesOf(server))) {
    const [row] = await server.sql(`select obj_description('${table}'::regclass) as mark`);
    assert.equal(row?.mark, `ibench ${runRow(run).run_id}`);
    assert.match(run.stderr(), /the tables of the run could not be dropped and stay/);
  }
});

test('the host of a server is read over ssh when that is asked for', async (t) => {
  const server = await startUserServer(t);
  const directory = fakeSsh(t);
  const wrapper = ['env', `PATH=${directory}:${process.env.PATH}`];
  const args = ['--server', server.url, '--server-ssh', 'me@db1'];
  const run = startRun(t, { set: { read_write_seconds: 3 }, args, wrapper });
  assert.deepEqual(await run.ended, { code: 0, signal: null }, run.stderr());
  assert.equal(hostFact(run, 'read_over'), 'ssh me@db1');
  assert.ok(hostFact(run, 'kernel'));
  assert.equal(hostFact(run, 'node_version'), undefined);
  const rows = query(run, "SELECT * FROM metrics WHERE tag = :tag AND step <> 'settle'");
  assert.equal(rows.length, STEPS - 1);
  for (const row of rows) {
    for (const column of ['cpupq', 'cspq', 'fgcpupq', 'bgcpupq', 'otcpupq', 'rss', 'dbgb2']) {
      assert.notEqual(row[column], null, `${column} in ${row.step}`);
    }
    // The load generator is not on that host.
    assert.equal(row.clcpupq, null);
    const parts = Number(row.fgcpupq) + Number(row.bgcpupq) + Number(row.otcpupq);
    assert.ok(Math.abs(Number(row.cpupq) - parts) < 1e-6, String(row.step));
  }
  assert.ok(query(run, 'SELECT * FROM os_samples').length >= 6);
  assert.ok(fs.statSync(path.join(folderOf(run), 'qr100', 'vmstat.txt')).size > 0);
  const calls = fs.readFileSync(path.join(directory, 'ssh.log'), 'utf8').trim().split('\n');
  assert.equal(calls.filter((call) => call.endsWith(' me@db1 sh')).length, 1);
  assert.ok(calls.every((call) => call.includes('BatchMode=yes')));
  assert.ok(commandLines().every((line) => !line.includes(directory)));
});

test('a server that lets only TLS in is reached by runner and workers, and is who it says', async (t) => {
  const server = await startUserServer(t);
  await server.requireTls();
  const certificate = fileURLToPath(new URL('server.crt', TLS));
  const verified = `${server.url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(certificate)}`;
  const run = startRun(t, { args: ['--server', verified] });
  await untilMeasured(run, 'qr100');
  const rows = await server.sql(
    `select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name like 'ibench/%'`,
  );
  assert.ok(rows.length >= 4);
  assert.deepEqual(new Set(rows.map(({ ssl }) => ssl)), new Set([true]));
  run.child.kill('SIGINT');
  assert.deepEqual(await run.ended, { code: 130, signal: null });

  const unverified = startRun(t, { args: ['--server', `${server.url}?sslmode=disable`] });
  assert.deepEqual(await unverified.ended, { code: 2, signal: null });
  assert.match(unverified.stderr(), /connecting to .* no encryption/);
  const elsewhere = verified.replace('127.0.0.1', 'localhost');
  const wrongName = startRun(t, { args: ['--server', elsewhere] });
  assert.deepEqual(await wrongName.ended, { code: 2, signal: null });
  assert.match(wrongName.stderr(), /Hostname\/IP does not match certificate/);
});

test('a host that cannot be reached over ssh ends the run before it begins', async (t) => {
  const server = await startUserServer(t);
  const directory = fakeSsh(t, "echo 'Permission denied (publickey).' >&2; exit 255");
  const wrapper = ['env', `PATH=${directory}:${process.env.PATH}`];
  const run = startRun(t, { args: ['--server', server.url, '--server-ssh', 'db1'], wrapper });
  assert.deepEqual(await run.ended, { code: 1, signal: null });
  assert.match(
    run.stderr(),
    /failed: db1 cannot be read over ssh: Permission denied \(publickey\)\.\n/,
  );
});

test('of a server on a host that cannot be seen nothing is measured but the load', async (t) => {
  const server = await startUserServer(t);
  // To the tool the backend with this process id is another one than the server's.
  await server.sql(`create schema elsewhere authorization app;
    create view elsewhere.pg_stat_activity as
      select pid, datid, datname, usesysid, usename, application_name, backend_type, state,
        wait_event_type, wait_event, leader_pid, query, query_start, xact_start, state_change,
        backend_xid, backend_xmin, backend_start - interval '1 day' as backend_start
      from pg_catalog.pg_stat_activity;
    grant select on elsewhere.pg_stat_activity to app;
    alter role app set search_path = elsewhere, pg_catalog`);
  const run = startRun(t, { set: QUICK, args: ['--server', server.url] });
  assert.deepEqual(await run.ended, { code: 0, signal: null }, run.stderr());
  assert.match(run.stderr(), /its CPU, memory and disks are not measured; --server-ssh HOST/);
  const rows = query(run, "SELECT * FROM metrics WHERE tag = :tag AND step LIKE 'q%'");
  assert.equal(rows.length, 6);
  for (const row of rows) {
    assert.ok(Number(row.qps) > 0);
    for (const column of ['cpupq', 'cspq', 'csps', 'wps', 'fgcpupq', 'clcpupq', 'rss', 'dbgb2']) {
      assert.equal(row[column], null, column);
    }
    assert.ok(Number(row.dbgb1) > 0);
  }
  assert.deepEqual(query(run, 'SELECT * FROM os_counters'), []);
  assert.equal(hostFact(run, 'read_over'), 'none');
  assert.equal(hostFact(run, 'cpu_model'), undefined);
});

describe('what does not go together is refused with exit code 2', () => {
  const url = 'postgres://me:hidden@127.0.0.1:1/db';
  const cases: [args: string[], message: RegExp][] = [
    [['--server', url, '--config', 'base'], /--config: the server of --server runs already/],
    [['--server', url, '--build', 'embedded'], /--build: the server of --server/],
    [['--server', url, '--data-dir', '/x'], /--data-dir: the server of --server/],
    [['--server', url, '--keep-data'], /--keep-data: the server of --server/],
    [['--server', url, '--listen', '5432'], /--listen: the server of --server/],
    [['--server', url, '--server-user', 'nobody'], /--server-user: the server of --server/],
    [['--drop-tables'], /--drop-tables: it is for a server that runs already/],
    [['--keep-tables'], /--keep-tables: it is for a server that runs already/],
    [['--server-ssh', 'db1'], /--server-ssh: it is for a server that runs already/],
    [['--server', url, '--server-ssh=-oProxyCommand=x'], /expected a host, or user@host/],
    [['--server', 'postgres://me:hidden@host/'], /--server: no database/],
    [['--server', 'postgres://me:hid%en@host/db'], /--server: not a URL/],
  ];
  for (const [args, message] of cases) {
    test(args.join(' '), async (t) => {
      const run = startRun(t, { args });
      assert.deepEqual(await run.ended, { code: 2, signal: null });
      assert.match(run.stderr(), message);
      assert.doesNotMatch(run.stderr(), /hidden|\n\s+at /);
    });
  }
});

test('a server that is not there, and a wrong password, are refused before a run', async (t) => {
  const server = await startUserServer(t);
  const wrong = server.url.replace(/:[^:@]*@/, ':wr0ng@');
  for (const [url, message] of [
    ['postgres://app:wr0ng@127.0.0.1:1/app', /connecting to host=127\.0\.0\.1 .*ECONNREFUSED/],
    [wrong, /connecting to .*password authentication failed for user "app"/],
  ] as const) {
    const runsDirectory = temporaryDirectory(t);
    const run = startRun(t, { args: ['--server', url], runsDirectory });
    assert.deepEqual(await run.ended, { code: 2, signal: null });
    assert.match(run.stderr(), message);
    assert.doesNotMatch(run.stderr(), /wr0ng/);
    assert.deepEqual(fs.readdirSync(runsDirectory), []);
  }
  await server.sql('revoke pg_checkpoint from app');
  const run = startRun(t, { args: ['--server', server.url] });
  assert.deepEqual(await run.ended, { code: 2, signal: null });
  assert.match(
    run.stderr(),
    /user app may not do a checkpoint, .*: grant pg_checkpoint to "app"\n$/,
  );
  assert.deepEqual(fs.readdirSync(run.runsDirectory), []);
});

function hostFact(run: Run, name: string): unknown {
  const [row] = query(
    run,
    `SELECT value FROM host_facts JOIN runs USING (run_id) WHERE tag = :tag AND name = '${name}'`,
  );
  return row?.value;
}

async function tablesOf(server: UserServer): Promise<unknown[]> {
  const rows = await server.sql(
    `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relname ~ '^pi[0-9]+$' and n.nspname !~ '^pg_' order by 1`,
  );
  return rows.map(({ relname }) => relname);
}

function commandLines(): string[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return [];
      }
    });
}

function filesBelow(directory: string): string[] {
  return fs
    .readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.path, entry.name));
}
