import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { changesBetween, debtOf, serverFigures } from '@ibench/core';
import { defaultBuildsDirectory } from '../src/builds/builds-directory.ts';
import { installNpmBuild } from '../src/builds/install-npm.ts';
import type { Observer, OwnServer } from '../src/engine.ts';
import { type Admin, openAdmin, run } from '../src/postgres/admin.ts';
import { connectionValue, startTestServer } from './server-support.ts';

/** One of each major version that is supported; 18 is the embedded one. */
const VERSIONS = ['12.22', '13.23', '14.22', '15.17', '16.13', '17.9', '18.4'];

const INSERTED = 3000;
const DELETED = 500;

/** Inserts, deletes, a vacuum of another table and a checkpoint, on a connection that ends. */
async function work(server: OwnServer): Promise<number> {
  const connection = connect(server);
  const [own] = await run(connection, 'select pg_backend_pid() as pid', 'asking');
  for (const sql of [
    `insert into pi1 select g, g from generate_series(1, ${INSERTED}) g`,
    `delete from pi1 where i <= ${DELETED}`,
    'vacuum analyze pi2',
    'checkpoint',
    'insert into pi2 values (7)',
  ]) {
    await run(connection, sql, sql);
  }
  await connection.end({ timeout: 1 });
  return own?.pid as number;
}

function connect(server: OwnServer) {
  const address = {
    socketDirectory: connectionValue(server, 'host'),
    port: Number(connectionValue(server, 'port')),
  };
  return openAdmin(address, 'ibench/test/insert/1', { max: 1 });
}

async function start(t: TestContext, version: string): Promise<OwnServer> {
  const build = await installNpmBuild(version, {
    buildsDirectory: defaultBuildsDirectory(process.env),
  });
  const server = await startTestServer(t, { build });
  const admin = connect(server);
  await run(admin, 'create table pi1 (transactionid bigint primary key, i int)', 'making pi1');
  await run(admin, 'create table pi2 (i int)', 'making pi2');
  await run(admin, 'create table other (i int)', 'making other');
  await admin.end({ timeout: 1 });
  return server;
}

for (const version of VERSIONS) {
  test(`${version} tells all that was done between two readings, and what it lacks is absent`, async (t) => {
    const server = await start(t, version);
    const major = Number.parseInt(version, 10);
    const tables = ['pi1', 'pi2'];
    const before = await server.statistics(tables, []);
    const worker = await work(server);
    const after = await server.statistics(tables, [worker]);

    const changes = changesBetween(before, after);
    const delta = (source: string, object: string, name: string) =>
      changes.find((one) => one.source === source && one.object === object && one.name === name)
        ?.delta;
    // Exact: nothing that the connection counted is still held back.
    assert.equal(delta('pg_stat_user_tables', 'pi1', 'n_tup_ins'), INSERTED);
    assert.equal(delta('pg_stat_user_tables', 'pi1', 'n_tup_del'), DELETED);
    assert.equal(delta('pg_stat_user_tables', 'pi2', 'n_tup_ins'), 1);
    assert.equal(delta('pg_stat_user_tables', 'pi2', 'vacuum_count'), 1);
    assert.ok((delta('pg_statio_user_indexes', 'pi1_pkey', 'idx_blks_hit') ?? 0) >= INSERTED);
    const sources = new Set(changes.map(({ source }) => source));
    for (const [source, since] of [
      ['pg_stat_wal', 14],
      ['pg_stat_io', 16],
      ['pg_stat_checkpointer', 17],
    ] as const) {
      assert.equal(sources.has(source), major >= since, source);
    }
    assert.ok(!changes.some(({ object }) => object === 'other'), 'a table that is not of the run');
    assert.ok(
      !changes.some(({ name }) => name === 'blk_read_time'),
      'times that the server does not take',
    );

    const setting = new Map(server.settings.map((one) => [one.name, Number(one.setting)]));
    const figures = serverFigures(changes, 10, (name) => setting.get(name) ?? null);
    const { full_page_images, autovacuum_cycles, autovacuum_cycle_s, ...always } = figures;
    for (const [name, value] of Object.entries(always)) {
      assert.ok(typeof value === 'number' && value >= 0, `${name}: ${value}`);
    }
    assert.equal(full_page_images !== null, major >= 14);
    assert.equal(always.checkpoints_requested, 1);
    assert.ok((always.buffers_checkpointer as number) > 0);
    assert.ok((always.buffers_backends as number) > 0, 'the table was extended');
    assert.ok((always.wal_bytes as number) > INSERTED * 50);
    assert.deepEqual([always.vacuums, always.analyzes], [1, 1]);
    assert.deepEqual([always.live_tuples, always.dead_tuples], [INSERTED - DELETED + 1, DELETED]);
    assert.ok((always.table_bytes as number) > INSERTED * 28);

    const { dead_share, ...opening } = debtOf(changes, 'before');
    assert.deepEqual([dead_share, opening.dead_tuples, opening.vacuums_running], [null, 0, 0]);
    const closing = debtOf(changes, 'after');
    assert.equal(closing.dead_share, DELETED / (INSERTED + 1));
    assert.ok((closing.wal_since_redo_bytes as number) < (opening.wal_since_redo_bytes as number));
    assert.ok((closing.dirty_buffers as number) >= 1);
    assert.equal(closing.oldest_xmin_age, 0);

    await observe(t, server, major);
  });
}

/** Sessions of others, and of oneself; a delete that is planned and not done. */
async function observe(t: TestContext, server: OwnServer, major: number): Promise<void> {
  const observer = await server.observe('ibench/test/activity');
  t.after(() => observer.close());
  const busy = connect(server);
  t.after(() => busy.end({ timeout: 1 }));
  const asleep = assert.rejects(run(busy, 'select pg_sleep(100)', 'sleeping'), /cancel/);
  const session = await repeat(async () =>
    (await observer.activity()).sessions.find(
      ({ applicationName, waitType }) =>
        applicationName === 'ibench/test/insert/1' && waitType === 'Timeout',
    ),
  );
  assert.deepEqual([session.isActive, session.waitEvent], [true, 'PgSleep']);
  assert.equal(session.backendType, 'client backend');
  const cpu = await server.host.readCpu([session.pid, 999_999_999]);
  assert.deepEqual([...(cpu?.keys() ?? [])], [session.pid]);
  const ran = await server.host.readRunTimes([session.pid, 999_999_999]);
  assert.deepEqual([...ran.keys()], [session.pid]);
  const used = cpu?.get(session.pid);
  const ticks = (used?.user ?? Number.NaN) + (used?.system ?? Number.NaN);
  assert.ok((ran.get(session.pid) as number) > ticks - 0.02, `${ticks}`);
  await server.cancel([session.pid]);
  await asleep;
  const rows = await server.countRows(['pi1']);
  assert.ok((await observer.planDelete('pi1', 1, 100)) > 0);
  assert.deepEqual(await server.countRows(['pi1']), rows);
  const types = (await observer.activity()).sessions.map(({ backendType }) => backendType);
  for (const type of ['checkpointer', 'walwriter']) assert.ok(types.includes(type), type);

  await seesWhatIsDone(busy, observer, major);

  const lost = observer.backendPid() as number;
  await run(busy, `select pg_terminate_backend(${lost})`, 'ending the observer');
  const found = await repeat(async () => {
    const shown = await observer.activity().catch(() => null);
    return observer.backendPid() === lost || shown === null ? undefined : observer.backendPid();
  });
  assert.notEqual(found, null);
}

/** A checkpoint, and where statistics cost nothing an autovacuum, shows when it is done. */
async function seesWhatIsDone(busy: Admin, observer: Observer, major: number): Promise<void> {
  const before = await observer.activity();
  assert.equal(before.autovacuums === null, major < 15);
  const { checkpoint } = await observer.activity();
  assert.equal(checkpoint, before.checkpoint);
  for (const sql of [
    'alter table pi1 set (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0)',
    "alter system set autovacuum_naptime = '1s'",
    'select pg_reload_conf()',
    'delete from pi1 where i <= 1000',
    'checkpoint',
  ]) {
    await run(busy, sql, sql);
  }
  assert.notEqual((await observer.activity()).checkpoint, before.checkpoint);
  if (before.autovacuums === null) return;
  const counted = before.autovacuums;
  await repeat(async () => {
    const { autovacuums } = await observer.activity();
    return (autovacuums as number) > counted ? true : undefined;
  });
}

/** Tries until there is something. */
async function repeat<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < 500; i++) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(20);
  }
  throw new Error('looked in vain');
}
