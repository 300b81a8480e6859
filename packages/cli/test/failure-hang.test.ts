import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, test } from 'node:test';
import {
  type Run,
  runRow,
  startRun,
  until,
  untilMeasured,
  untilNothingLeft,
  worldOf,
} from './support.ts';
import { startUserServer, type UserServer } from './user-server.ts';

/** Does something within every statement that makes or drops a table, as the superuser. */
const onTables = (work: string): string =>
  `create function hold() returns event_trigger security definer language plpgsql as $$
     begin ${work}; end $$;
   create event trigger hold on ddl_command_start execute function hold()`;

describe('a run that is interrupted while it waits', { concurrency: 2 }, () => {
  test('SIGTERM while a table is being made, which never ends, leaves nothing on the server', async (t) => {
    const server = await startUserServer(t);
    await server.sql(onTables('perform pg_sleep(3600)'));
    const run = startRun(t, { args: ['--server', server.url] });
    await untilWaiting(server, 'PgSleep');
    await interrupt(run, 'SIGTERM');
    await checkNothingLeft(server);
  });

  test('SIGINT while a commit waits for a standby that does not exist drops what it made', async (t) => {
    const server = await startUserServer(t, 'max_wal_senders = 10\n');
    await server.sql(`alter system set synchronous_standby_names = 'nobody'`);
    await server.sql('select pg_reload_conf()');
    const refused = startRun(t, { args: ['--server', server.url] });
    assert.deepEqual(await refused.ended, { code: 2, signal: null });
    assert.match(
      refused.stderr(),
      /^ibench: .* has synchronous_standby_names and no standby, .*\n$/,
    );
    // As a user may have it who knows; then the server itself makes one transaction wait.
    await server.sql(
      'set synchronous_commit = local; alter role app set synchronous_commit = local',
    );
    await server.sql(
      `set synchronous_commit = local; ${onTables(`perform set_config('synchronous_commit', 'on', true)`)}`,
    );
    const run = startRun(t, { args: ['--server', server.url] });
    await untilWaiting(server, 'SyncRep');
    await interrupt(run, 'SIGINT');
    await checkNothingLeft(server);
  });

  test('SIGTERM while the server of the run lets no connection in ends both', async (t) => {
    const run = startRun(t, { config: 'shared_buffers = 16MB\npost_auth_delay = 60\n' });
    await until('a connection waits', () =>
      worldOf(run).processes.some(({ title }) => title.includes('ibench postgres [local]')),
    );
    const seen = worldOf(run);
    await interrupt(run, 'SIGTERM');
    await untilNothingLeft(run, seen);
  });

  test('SIGINT in a run on a server that has stopped answering ends the run', async (t) => {
    const server = await startUserServer(t);
    const run = startRun(t, { set: { rows: 10_000_000 }, args: ['--server', server.url] });
    await untilMeasured(run, 'l.i0');
    const stopped = [server.pid, ...childrenOf(server.pid)];
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    try {
      await interrupt(run, 'SIGINT');
      assert.match(run.stderr(), /the tables of the run could not be dropped and stay: /);
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }
  });
});

async function interrupt(run: Run, signal: NodeJS.Signals): Promise<void> {
  process.kill(run.pid, signal);
  assert.deepEqual(await run.ended, { code: 130, signal: null }, run.stderr());
  const { status, message } = runRow(run);
  assert.deepEqual([status, message], ['interrupted', `interrupted by ${signal}`]);
  // It ended in order, and not because that took too long.
  assert.doesNotMatch(run.stderr(), /not stopped within/);
}

const BACKENDS = `from pg_stat_activity where application_name like 'ibench/%'`;

function untilWaiting(server: UserServer, event: string): Promise<unknown> {
  return until(`a statement of the run waits: ${event}`, async () => {
    const rows = await server.sql(`select 1 ${BACKENDS} and wait_event = '${event}'`);
    return rows.length > 0;
  });
}

async function checkNothingLeft(server: UserServer): Promise<void> {
  await until('no backend of the run is left', async () => {
    const [row] = await server.sql(`select count(*)::int as n ${BACKENDS}`);
    return row?.n === 0;
  });
  const tables = await server.sql(`select relname from pg_class where relname like 'pi%'`);
  assert.deepEqual(tables, []);
}

function childrenOf(pid: number): number[] {
  const text = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text.split(' ').map(Number);
}
