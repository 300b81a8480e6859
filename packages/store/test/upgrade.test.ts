import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { closeStore, listRuns, openStore } from '../src/index.ts';
import { loadMigrations, migrate, schemaVersion } from '../src/migrate.ts';
import { temporaryPath } from './sample.ts';

const MIGRATIONS = loadMigrations(new URL('../../sql/', import.meta.url));
const NOW = MIGRATIONS.length;
/** Root may write everything, so it is somebody else for a while. */
const NOBODY = 65534;

/** A store as the last version of the program made it. */
function olderStore(t: TestContext, journal: 'wal' | 'delete' = 'wal'): string {
  const path = temporaryPath(t);
  const db = new Database(path);
  db.pragma(`journal_mode = ${journal}`);
  migrate(db, path, MIGRATIONS.slice(0, -1));
  db.close();
  return path;
}

function versionOf(path: string): number {
  const db = new Database(path, { readonly: true });
  try {
    return schemaVersion(db, path, MIGRATIONS);
  } finally {
    db.close();
  }
}

for (const journal of ['wal', 'delete'] as const) {
  test(`an older store (${journal}) is brought up to date when it is read, once, and says so`, (t) => {
    const path = olderStore(t, journal);
    const said: string[] = [];
    for (let i = 0; i < 2; i++) {
      const store = openStore(path, { readonly: true, say: (text) => said.push(text) });
      assert.deepEqual(listRuns(store), []);
      assert.throws(() => store.db.exec('CREATE TABLE x (a)'), /readonly/);
      closeStore(store);
    }
    assert.equal(versionOf(path), NOW);
    const expected = `the store ${path} is brought up to date: schema version ${NOW - 1} to ${NOW}`;
    assert.deepEqual(said, [expected]);
  });

  test(`an older store (${journal}) that another program works with stays as it is`, (t) => {
    const path = olderStore(t, journal);
    const other = new Database(path);
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    if (journal === 'wal') other.exec('COMMIT');
    assert.throws(() => openStore(path, { readonly: true, patienceMs: 100 }), {
      name: 'UsageError',
      message: /this ibench reads \d+, and another program has it open, .* try again .* --db$/,
    });
    if (journal === 'delete') other.exec('COMMIT');
    assert.equal(schemaVersion(other, path, MIGRATIONS), NOW - 1);
    other.close();
    closeStore(openStore(path, { readonly: true }));
    assert.equal(versionOf(path), NOW);
  });
}

/** With the rights that this process has now. */
function isReadable(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}

test('an older store that may not be written says what to do and stays as it is', (t) => {
  const path = olderStore(t, 'delete');
  chmodSync(path, 0o444);
  const folder = dirname(path);
  for (const each of [folder, dirname(folder)]) chmodSync(each, 0o755);
  const isRoot = process.geteuid?.() === 0;
  for (const mode of [0o777, 0o555]) {
    chmodSync(folder, mode);
    if (isRoot) process.seteuid?.(NOBODY);
    try {
      if (!isReadable(path)) return t.skip('TMPDIR is closed to other users');
      assert.throws(() => openStore(path, { readonly: true }), {
        name: 'UsageError',
        message: /and it may not be written here to bring it up to date: give a copy .* --db, or/,
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  }
  chmodSync(folder, 0o755);
  assert.equal(versionOf(path), NOW - 1);
});

test('an empty file is not made a store by reading it', (t) => {
  const path = temporaryPath(t);
  writeFileSync(path, '');
  assert.throws(() => openStore(path, { readonly: true }), {
    name: 'UsageError',
    message: /has schema version 0, /,
  });
  assert.equal(versionOf(path), 0);
});
