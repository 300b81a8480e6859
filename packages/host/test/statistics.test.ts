import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openAdmin, run } from '../src/postgres/admin.ts';
import { directoryBytes } from '../src/postgres/statistics.ts';
import { connectionValue, makeDirectory, startTestServer } from './server-support.ts';

test('rows, sizes, WAL and backends are what the server has', async (t) => {
  const server = await startTestServer(t);
  const address = {
    socketDirectory: connectionValue(server, 'host'),
    port: Number(connectionValue(server, 'port')),
  };
  const admin = openAdmin(address, 'ibench/test/load', { max: 1 });
  t.after(() => admin.end({ timeout: 1 }));
  await run(admin, 'create table a (i int)', 'creating a');
  await run(admin, 'create table b (i int)', 'creating b');
  const before = {
    wal: await server.walBytes(),
    database: await server.databaseBytes(),
    directory: directoryBytes(server.dataDirectory),
  };
  await run(admin, 'insert into a select generate_series(1, 100000)', 'filling a');
  await run(admin, 'checkpoint', 'checkpoint');
  assert.deepEqual(await server.countRows(['a', 'b']), [100_000, 0]);
  assert.deepEqual(await server.countRows([]), []);

  const [table] = await run(admin, `select pg_total_relation_size('a')::int as bytes`, 'asking');
  const bytes = table?.bytes as number;
  assert.ok(bytes > 3_000_000);
  assert.ok((await server.databaseBytes()) - before.database >= bytes);
  assert.ok(directoryBytes(server.dataDirectory) - before.directory >= bytes);

  // 100,000 rows of 4 bytes in a record of at least 32 each.
  const written = (await server.walBytes()) - before.wal;
  assert.ok(written > 3_200_000 && written < 50_000_000, String(written));

  const [own] = await run(admin, 'select pg_backend_pid() as pid', 'asking');
  const backends = await server.backends();
  assert.ok(backends.some((b) => b.pid === own?.pid && b.applicationName === 'ibench/test/load'));
  assert.ok(backends.some((b) => b.applicationName === 'ibench/test/runner'));
  await assert.rejects(server.countRows(['missing']), /counting missing failed \(42P01\)/);
});

test('the bytes of a directory are those that are allocated, everywhere below', (t) => {
  const directory = makeDirectory(t);
  assert.equal(directoryBytes(directory), 0);
  const below = path.join(directory, 'a', 'b');
  fs.mkdirSync(below, { recursive: true });
  fs.writeFileSync(path.join(below, 'x'), Buffer.alloc(100_000, 1));
  fs.writeFileSync(path.join(directory, 'y'), Buffer.alloc(1_000, 1));
  fs.truncateSync(path.join(directory, 'y'), 50_000_000);
  const bytes = directoryBytes(directory);
  assert.ok(bytes >= 101_000 && bytes < 10_000_000, String(bytes));
  assert.equal(directoryBytes(path.join(directory, 'missing')), 0);
});

test('WAL on another disk, behind a link, belongs to the directory', (t) => {
  const elsewhere = makeDirectory(t);
  fs.writeFileSync(path.join(elsewhere, 'segment'), Buffer.alloc(200_000, 1));
  const directory = makeDirectory(t);
  fs.symlinkSync(elsewhere, path.join(directory, 'pg_wal'));
  fs.symlinkSync('nowhere', path.join(directory, 'broken'));
  assert.equal(directoryBytes(directory), directoryBytes(elsewhere));
  assert.ok(directoryBytes(directory) >= 200_000);
});
