import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { RunError } from '@ibench/core';
import { openAdmin } from '../src/postgres/admin.ts';
import { openExternalServer } from '../src/postgres/external-server.ts';
import { watchRestart } from '../src/postgres/watch-restart.ts';
import { startTestServer } from './external-support.ts';

test('a server with another start time is another server', async (t) => {
  const { access } = await startTestServer(t);
  const admin = openAdmin(access, 'test', { max: 1 });
  t.after(() => admin.end({ timeout: 1 }));
  const watch = await watchRestart(admin, null);
  await watch.check();
  // As after a restart: the function in the first schema of the path answers for the server.
  await admin.unsafe(`create schema later;
    create function later.pg_postmaster_start_time() returns timestamptz
      language sql as $$ select pg_catalog.pg_postmaster_start_time() + interval '1 hour' $$;
    set search_path = later, pg_catalog`);
  await assert.rejects(watch.check(), (error: Error) => {
    assert.ok(error instanceof RunError);
    assert.match(error.message, /^the server was restarted at .*: it had been running since /);
    return true;
  });
  watch.close();
});

test('the end of a main process on this host is noticed', async (t) => {
  const { admin } = await startTestServer(t);
  const child = spawn('sleep', ['600']);
  t.after(() => child.kill());
  const watch = await watchRestart(admin, child.pid as number);
  let told: string | null = null;
  void watch.exited.then((how) => {
    told = how;
  });
  await watch.check();
  assert.equal(told, null);
  child.kill();
  await once(child, 'exit');
  assert.equal(await watch.exited, `its main process, pid ${child.pid}, has ended`);
});

test('a server that is not ours stays when the run is over, and its password goes by the environment', async (t) => {
  const { server, access, admin } = await startTestServer(t);
  await admin.unsafe('select 1');
  const lines: string[] = [];
  const external = await openExternalServer({
    access: { ...access, password: 'hidden' },
    ssh: null,
    runId: '20261130-163933-53c2',
    applicationName: 'ibench/x/runner',
    dropForeign: false,
    keepTables: false,
    driver: 'libpq',
    library: null,
    spin: false,
    say: (text) => lines.push(text),
  });
  assert.deepEqual(external.workerEnvironment, { PGPASSWORD: 'hidden' });
  assert.doesNotMatch(JSON.stringify(external.connect('x')), /hidden/);
  assert.deepEqual(
    [external.version, external.isExclusive, external.logPath],
    ['18.4', false, null],
  );
  assert.deepEqual(lines, [
    'others are connected to the server: ibench in ib (owner), ibench in ib (test)',
  ]);
  assert.equal(external.maxConnections, server.maxConnections);
  const options = { partitions: 0, secondary_indexes: 3, expectedRows: 1 };
  await external.createTables(['pi1'], options);
  assert.deepEqual(await external.countRows(['pi1']), [0]);
  await external.stop();
  const [row] = await admin.unsafe(`select to_regclass('pi1') as name`);
  assert.equal(row?.name, null);
  await server.databaseBytes();
});
