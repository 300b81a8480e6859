import assert from 'node:assert/strict';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { RunError } from '@ibench/core';
import { conninfo, openAdmin, run, signalBackends } from '../src/postgres/admin.ts';
import { connectionValue, makeDirectory, startTestServer } from './server-support.ts';

test('the connection string says everything, so that nothing comes from the environment', () => {
  const text = conninfo({ socketDirectory: "/tmp/it's a \\ dir", port: 5433 }, 'ibench/x/insert/1');
  assert.equal(
    text,
    String.raw`host='/tmp/it\'s a \\ dir' port='5433' dbname='ib' user='ibench' sslmode='disable' gssencmode='disable' application_name='ibench/x/insert/1' connect_timeout='30'`,
  );
});

test('statements of ours: results, errors with their purpose, notices and signals', async (t) => {
  const server = await startTestServer(t);
  const address = {
    socketDirectory: connectionValue(server, 'host'),
    port: Number(connectionValue(server, 'port')),
  };
  const notices: string[] = [];
  const admin = openAdmin(address, 'ibench/test/admin', { onNotice: (text) => notices.push(text) });
  t.after(() => admin.end({ timeout: 1 }));

  const [row] = await run(
    admin,
    `select current_setting('application_name') as name, current_database() as database, current_user as user`,
    'asking',
  );
  assert.deepEqual({ ...row }, { name: 'ibench/test/admin', database: 'ib', user: 'ibench' });

  await assert.rejects(run(admin, 'select 1 / 0', 'dividing'), (error: Error) => {
    assert.ok(error instanceof RunError);
    assert.equal(error.message, 'dividing failed (22012): division by zero');
    assert.equal(error.sqlstate, '22012');
    return true;
  });

  await run(admin, `do $$ begin raise notice 'one' using detail = 'two'; end $$`, 'noticing');
  assert.deepEqual(notices, ['one\ntwo']);

  const sleeper = openAdmin(address, 'ibench/test/sleeper', { max: 1 });
  t.after(() => sleeper.end({ timeout: 1 }));
  for (const [how, state, said] of [
    ['cancel', '57014', /^sleeping failed \(57014\): canceling statement due to user request$/],
    // Not a word of the server: the connection is gone.
    ['terminate', undefined, /^sleeping failed \(CONNECTION_CLOSED\): /],
  ] as const) {
    const [{ pid } = { pid: 0 }] = await run(sleeper, 'select pg_backend_pid() as pid', 'asking');
    const work = run(sleeper, 'select pg_sleep(600)', 'sleeping').catch((error) => error);
    await signalWhenAsleep(admin, pid as number, how);
    const error = (await work) as RunError;
    assert.equal(error.sqlstate, state, how);
    assert.match(error.message, said);
  }
  await signalBackends(admin, [], 'terminate');
  await signalBackends(admin, [2 ** 31 - 1], 'cancel');
});

test('a server that goes away while it is asked to cancel is no failure of its own', async (t) => {
  const server = await startTestServer(t);
  const port = Number(connectionValue(server, 'port'));
  const real = path.join(connectionValue(server, 'host'), `.s.PGSQL.${port}`);
  const directory = makeDirectory(t);
  let connections = 0;
  const between = net.createServer((socket) => {
    connections += 1;
    if (connections > 1) return socket.destroy();
    const onward = net.connect(real);
    for (const side of [socket, onward]) side.on('error', () => {});
    return socket.pipe(onward).pipe(socket);
  });
  between.listen(path.join(directory, `.s.PGSQL.${port}`));
  t.after(() => between.close());
  const admin = openAdmin({ socketDirectory: directory, port }, 'ibench/test/gone', { max: 1 });
  await run(admin, 'select 1', 'asking');
  const sleeping = run(admin, 'select pg_sleep(600)', 'sleeping').catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 100));
  await admin.end({ timeout: 1 });
  await sleeping;
  assert.equal(connections, 2, 'it was asked to cancel');
});

/** A signal that comes before the statement would be without effect. */
async function signalWhenAsleep(
  admin: ReturnType<typeof openAdmin>,
  pid: number,
  how: 'cancel' | 'terminate',
): Promise<void> {
  for (;;) {
    const sql = `select 1 from pg_stat_activity where pid = ${pid} and wait_event = 'PgSleep'`;
    if ((await run(admin, sql, 'waiting')).length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await signalBackends(admin, [pid], how);
}

/** Backends that do something, beside the one that asks. */
async function busy(admin: ReturnType<typeof openAdmin>): Promise<number> {
  const sql = `select count(*)::int as n from pg_stat_activity
    where state <> 'idle' and backend_type = 'client backend' and pid <> pg_backend_pid()`;
  return (await run(admin, sql, 'counting'))[0]?.n as number;
}

test('a statement ends: with its time, or with its connections, also in the server', async (t) => {
  const server = await startTestServer(t);
  const address = {
    socketDirectory: connectionValue(server, 'host'),
    port: Number(connectionValue(server, 'port')),
  };
  const watcher = openAdmin(address, 'watcher');
  t.after(() => watcher.end({ timeout: 1 }));
  const admin = openAdmin(address, 'ibench/test/late');

  const late = run(admin, 'select pg_sleep(600)', 'sleeping', 200);
  await assert.rejects(late, /^RunError: sleeping failed \(57014\): canceling statement/);
  assert.equal(await busy(watcher), 0);

  const inTransaction = admin.begin(async (transaction) => {
    await run(transaction, 'select pg_sleep(600)', 'sleeping', 200);
  });
  await assert.rejects(inTransaction, /sleeping failed \(57014\)/);
  assert.equal(await busy(watcher), 0);

  // A commit that waits for a standby is done, and only what it waits for is not.
  await run(watcher, 'set synchronous_commit = local', 'setting');
  await run(watcher, `alter system set synchronous_standby_names = 'nobody'`, 'setting');
  await run(watcher, 'select pg_reload_conf()', 'setting');
  const names = `select from pg_settings where name = 'synchronous_standby_names' and setting <> ''`;
  while ((await run(admin, names, 'waiting')).length === 0);
  await run(admin, 'create table alone ()', 'making a table', 200);
  await admin.begin(async (transaction) => {
    await run(transaction, 'create table in_transaction ()', 'making a table');
    setTimeout(() => void admin.end({ timeout: 1 }), 200);
  });
  assert.equal(await busy(watcher), 0);

  const main = openAdmin(address, 'ibench/test/main');
  const other = openAdmin(address, 'ibench/test/other', { endsWith: main });
  const works = [main, other].map((one) => run(one, 'select pg_sleep(600)', 'sleeping', null));
  const ends = Promise.allSettled(works);
  while ((await busy(watcher)) < works.length);
  await main.end({ timeout: 1 });
  for (const { status } of await ends) assert.equal(status, 'rejected');
  assert.equal(await busy(watcher), 0);
});

test('a server that is not there is an error with its purpose', async () => {
  const admin = openAdmin({ socketDirectory: '/nonexistent', port: 5433 }, 'x', { max: 1 });
  await assert.rejects(
    run(admin, 'select 1', 'asking'),
    (error: Error) =>
      error instanceof RunError && /^asking failed \(ENOENT\): /.test(error.message),
  );
  await admin.end({ timeout: 1 });
});
