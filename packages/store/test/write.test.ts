import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { closeStore, createRun, finishRun, listRuns, openStore } from '../src/index.ts';
import { durably, transact } from '../src/write.ts';
import { LATER, newRun, temporaryPath, temporaryStore } from './sample.ts';

const NORMAL = 1;
const FULL = 2;

test('only what is written durably is synced, also after a write that failed', (t) => {
  const store = temporaryStore(t);
  const synchronous = (): unknown => store.db.pragma('synchronous', { simple: true });
  assert.equal(transact(store, synchronous), NORMAL);
  assert.equal(durably(store, synchronous), FULL);
  assert.equal(synchronous(), NORMAL);
  const done = { status: 'done', message: null, finishedAt: LATER } as const;
  assert.throws(() => finishRun(store, 99, done), { name: 'RunError', message: /not running/ });
  assert.equal(synchronous(), NORMAL);
});

test('a store that another program keeps locked is an error that says so', (t) => {
  const store = openStore(temporaryPath(t), { patienceMs: 0 });
  t.after(() => closeStore(store));
  const other = new Database(store.path);
  t.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  assert.throws(() => createRun(store, newRun()), {
    name: 'RunError',
    message: /^cannot write to the store .*: database is locked; another program holds it locked/,
  });
  other.exec('ROLLBACK');
  createRun(store, newRun());
  assert.equal(listRuns(store).length, 1);
});

test('a transaction that throws leaves nothing behind', (t) => {
  const store = temporaryStore(t);
  const stop = new Error('stop');
  const work = (): never => {
    store.db.prepare("INSERT INTO schema_migration VALUES (99, 'x', 'x', 'x')").run();
    throw stop;
  };
  assert.throws(() => transact(store, work), stop);
  const count = store.db
    .prepare('SELECT count(*) FROM schema_migration WHERE version = 99')
    .pluck();
  assert.equal(count.get(), 0);
});
