import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { UsageError } from '@ibench/core';
import Database from 'better-sqlite3';
import {
  addSeconds,
  closeStore,
  createRun,
  listRuns,
  openStore,
  startStep,
  unfinishedRuns,
} from '../src/index.ts';
import { AT, newRun, temporaryPath, temporaryStore } from './sample.ts';

function fixture(name: string): string {
  return fileURLToPath(new URL(`../../test/fixtures/${name}`, import.meta.url));
}

function foreignFile(t: TestContext): string {
  const path = temporaryPath(t);
  const db = new Database(path);
  db.exec('CREATE TABLE theirs (a)');
  db.close();
  return path;
}

test('a new store is made in WAL mode with foreign keys on', (t) => {
  const store = temporaryStore(t);
  assert.equal(store.db.pragma('journal_mode', { simple: true }), 'wal');
  assert.equal(store.db.pragma('foreign_keys', { simple: true }), 1);
  assert.equal(store.db.pragma('synchronous', { simple: true }), 1);
  assert.equal(store.db.pragma('busy_timeout', { simple: true }), 10_000);
});

test('a new store is for its user alone; one that is there keeps its mode', (t) => {
  const path = temporaryPath(t);
  const modes = (): number[] =>
    [path, `${path}-wal`, `${path}-shm`].map((file) => statSync(file).mode & 0o777);
  const first = openStore(path);
  assert.deepEqual(modes(), [0o600, 0o600, 0o600]);
  closeStore(first);
  chmodSync(path, 0o640);
  const second = openStore(path);
  t.after(() => closeStore(second));
  assert.deepEqual(modes(), [0o640, 0o640, 0o640]);
});

test('a store that is opened again keeps what was written', (t) => {
  const path = temporaryPath(t);
  const first = openStore(path);
  createRun(first, newRun());
  closeStore(first);
  const second = openStore(path);
  t.after(() => closeStore(second));
  assert.deepEqual(
    listRuns(second).map((run) => run.runId),
    ['r1'],
  );
});

test('a SQLite file of another program is refused and left as it was', (t) => {
  const path = foreignFile(t);
  const before = readFileSync(path);
  for (const readonly of [false, true]) {
    assert.throws(() => openStore(path, { readonly }), {
      name: 'UsageError',
      message: /is a SQLite file of another program/,
    });
  }
  assert.deepEqual(readFileSync(path), before);
});

test('a file that is not SQLite is refused and left as it was', (t) => {
  const path = temporaryPath(t);
  writeFileSync(path, 'not a database, but long enough to have a header: '.repeat(50));
  const before = readFileSync(path);
  assert.throws(() => openStore(path), { name: 'UsageError', message: /is not a SQLite file/ });
  assert.deepEqual(readFileSync(path), before);
});

test('a missing file cannot be opened read-only', (t) => {
  const path = temporaryPath(t);
  assert.throws(() => openStore(path, { readonly: true }), UsageError);
});

test('a path that cannot be a file is an error that names it', (t) => {
  const path = foreignFile(t);
  assert.throws(() => openStore(`${path}/below.sqlite`), {
    name: 'UsageError',
    message: /^cannot open the store .*below\.sqlite: \S+ is not a folder; name another with --db/,
  });
});

test('a reader sees each commit of a writer at work and cannot write itself', (t) => {
  const writer = temporaryStore(t);
  const runKey = createRun(writer, newRun());
  const stepKey = startStep(writer, runKey, { seq: 1, step: 'l.i0', kind: 'load', startedAt: AT });
  const reader = openStore(writer.path, { readonly: true });
  t.after(() => closeStore(reader));
  const count = reader.db.prepare('SELECT count(*) FROM per_second').pluck();
  assert.equal(count.get(), 0);

  writer.db.exec('BEGIN IMMEDIATE');
  assert.equal(count.get(), 0);
  writer.db.exec('ROLLBACK');
  addSeconds(writer, stepKey, [
    { client: 1, kind: 'insert', second: 0, ops: 1, rows: 1, maxUs: 1 },
  ]);
  assert.equal(count.get(), 1);
  assert.throws(() => createRun(reader, newRun({ runId: 'r2' })), {
    name: 'RunError',
    message: /^cannot write to the store .*readonly/,
  });
});

test('several processes that open a new store at once all succeed', async (t) => {
  const path = temporaryPath(t);
  const children = [1, 2, 3, 4].map(() =>
    spawn(process.execPath, [fixture('open-at-once.mjs'), path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  const exits = Promise.all(children.map((child) => once(child, 'exit')));
  for (const child of children) child.stdin.end();
  assert.deepEqual(
    await exits,
    children.map(() => [0, null]),
  );
  const store = openStore(path, { readonly: true });
  closeStore(store);
});

test('per-second rows survive the kill of the process that wrote them', async (t) => {
  const path = temporaryPath(t);
  const child = spawn(process.execPath, [fixture('write-then-wait.mjs'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  assert.deepEqual(await exit, [null, 'SIGKILL']);

  const store = openStore(path);
  t.after(() => closeStore(store));
  const rows = store.db.prepare('SELECT second, ops, rows, max_us FROM per_second').all();
  assert.deepEqual(
    rows,
    Array.from({ length: 10 }, (_, second) => ({ second, ops: 3, rows: 300, max_us: 9.5 })),
  );
  assert.deepEqual(
    unfinishedRuns(store).map((run) => [run.runId, run.runnerPid]),
    [['killed', child.pid]],
  );
});
