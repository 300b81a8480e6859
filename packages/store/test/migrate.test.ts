import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { closeStore, loadRuns, openStore } from '../src/index.ts';
import { loadMigrations, migrate, schemaVersion } from '../src/migrate.ts';
import { temporaryPath } from './sample.ts';

const FILES = {
  '001_one.sql': 'CREATE TABLE log (text)',
  '002_two.sql': "INSERT INTO log VALUES ('two')",
  '003_three.sql': "INSERT INTO log VALUES ('three')",
};

function folderOf(t: TestContext, files: Readonly<Record<string, string>>): URL {
  const folder = mkdtempSync(join(tmpdir(), 'ibench-sql-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql);
  return pathToFileURL(`${folder}/`);
}

function emptyDatabase(t: TestContext): Database.Database {
  const db = new Database(':memory:');
  t.after(() => db.close());
  return db;
}

function logged(db: Database.Database): unknown[] {
  return db.prepare('SELECT text FROM log ORDER BY rowid').pluck().all();
}

test('migrations are applied once each, in the order of their numbers', (t) => {
  const db = emptyDatabase(t);
  const migrations = loadMigrations(folderOf(t, FILES));
  migrate(db, 'x', migrations.slice(0, 2));
  assert.deepEqual(logged(db), ['two']);
  migrate(db, 'x', migrations);
  migrate(db, 'x', migrations);
  assert.deepEqual(logged(db), ['two', 'three']);
  assert.deepEqual(db.prepare('SELECT version, name FROM schema_migration').raw().all(), [
    [1, '001_one.sql'],
    [2, '002_two.sql'],
    [3, '003_three.sql'],
  ]);
  assert.equal(db.pragma('application_id', { simple: true }), 0x6962656e);
});

test('a migration that fails leaves nothing of itself and keeps those before it', (t) => {
  const db = emptyDatabase(t);
  const broken = { ...FILES, '003_three.sql': "INSERT INTO log VALUES ('half'); SELECT nonsense" };
  assert.throws(() => migrate(db, 'x.sqlite', loadMigrations(folderOf(t, broken))), {
    name: 'RunError',
    message: /^x\.sqlite: migration 003_three\.sql failed: .*nonsense/,
  });
  assert.deepEqual(logged(db), ['two']);
  migrate(db, 'x.sqlite', loadMigrations(folderOf(t, FILES)));
  assert.deepEqual(logged(db), ['two', 'three']);
});

test('a file that is newer than the program is refused', (t) => {
  const db = emptyDatabase(t);
  const migrations = loadMigrations(folderOf(t, FILES));
  migrate(db, 'x.sqlite', migrations);
  const expected = {
    name: 'UsageError',
    message: /^x\.sqlite has schema version 3, this ibench knows up to 2/,
  };
  assert.throws(() => migrate(db, 'x.sqlite', migrations.slice(0, 2)), expected);
  assert.throws(() => schemaVersion(db, 'x.sqlite', migrations.slice(0, 2)), expected);
});

test('the version of a file is the number of migrations that it has', (t) => {
  const db = emptyDatabase(t);
  const migrations = loadMigrations(folderOf(t, FILES));
  assert.equal(schemaVersion(db, 'x.sqlite', migrations), 0);
  migrate(db, 'x.sqlite', migrations.slice(0, 2));
  assert.equal(schemaVersion(db, 'x.sqlite', migrations), 2);
});

test('a file whose history has a gap is refused', (t) => {
  const db = emptyDatabase(t);
  const migrations = loadMigrations(folderOf(t, FILES));
  migrate(db, 'x.sqlite', migrations);
  db.exec('DELETE FROM schema_migration WHERE version = 2');
  assert.throws(() => migrate(db, 'x.sqlite', migrations), {
    name: 'RunError',
    message: /migration 2 is missing from its history, which goes on with 3 \(003_three\.sql\)/,
  });
});

test('a file made by a migration that was edited later is refused', (t) => {
  const db = emptyDatabase(t);
  migrate(db, 'x.sqlite', loadMigrations(folderOf(t, FILES)));
  const edited = loadMigrations(folderOf(t, { ...FILES, '002_two.sql': 'SELECT 2' }));
  assert.throws(() => migrate(db, 'x.sqlite', edited), {
    name: 'RunError',
    message: /migration 002_two\.sql was applied with other contents/,
  });
});

test('a gap in the numbers of the SQL files is an error', (t) => {
  const folder = folderOf(t, { '001_one.sql': '', '003_three.sql': '' });
  assert.throws(() => loadMigrations(folder), {
    name: 'RunError',
    message: 'migration 003_three.sql: expected a file named 002_<name>.sql here',
  });
});

test('an SQL file without a number is an error', (t) => {
  const folder = folderOf(t, { '001_one.sql': '', 'views.sql': '' });
  assert.throws(() => loadMigrations(folder), {
    name: 'RunError',
    message: /^migration views\.sql/,
  });
});

test('a store records every SQL file of the package', (t) => {
  const store = openStore(temporaryPath(t));
  t.after(() => closeStore(store));
  const names = store.db
    .prepare('SELECT name FROM schema_migration ORDER BY version')
    .pluck()
    .all();
  assert.deepEqual(names, readdirSync(new URL('../../sql/', import.meta.url)).sort());
});

test('a store from before the verdicts on clients keeps its steps, with NULL for what is new', (t) => {
  const path = temporaryPath(t);
  const old = new Database(path);
  migrate(old, path, loadMigrations(new URL('../../sql/', import.meta.url)).slice(0, 2));
  old.exec(`
    INSERT INTO run (run_key, run_id, tag, build, config, workload, repeat, clients, status, started_at,
      directory, runner_pid, runner_start, seed, tool_version, command_line)
    VALUES (1, 'r1', 't', 'b', 'c', 'w', 1, 1, 'done', 'x', 'x', 1, 'x', 1, 'x', 'x');
    INSERT INTO step (step_key, run_key, seq, step, kind, status, started_at)
    VALUES (1, 1, 1, 'l.i0', 'load', 'done', 'x');
    INSERT INTO step_metrics (step_key, seconds, ips, rows_inserted, rows_deleted, queries)
    VALUES (1, 10, 100, 1000, 0, 0);
    INSERT INTO worker (step_key, client, role, pid, finished_s, operations, rows, retries, errors,
      cpu_user_s, cpu_system_s, wait_server_s, generate_s, wait_queue_s)
    VALUES (1, 1, 'insert', 1, 10, 10, 1000, 0, 0, 1, 1, 8, 1, 0.5)`);
  const before = ['metrics', 'workers'].map((view) => firstRow(old, view));
  old.close();

  const store = openStore(path);
  t.after(() => closeStore(store));
  const verdicts = { server_wait_share: null, client_bound: null };
  const fairness = { client_rate_ratio: null, all_active_rate: null };
  assert.deepEqual(firstRow(store.db, 'metrics'), {
    ...before[0],
    ...verdicts,
    ...fairness,
    invalid: 0,
  });
  assert.deepEqual(firstRow(store.db, 'workers'), {
    ...before[1],
    wait_server_share: 0.8,
    generate_share: 0.1,
    wait_queue_share: 0.05,
    other_share: 0.05,
  });
  const [step] = loadRuns(store)[0]?.steps ?? [];
  assert.deepEqual(
    [step?.metrics?.ips, step?.metrics?.client_bound, step?.clients],
    [100, null, []],
  );
});

function firstRow(db: Database.Database, view: string): object {
  return db.prepare(`SELECT * FROM ${view}`).get() as object;
}

test('a store from before plans keeps the repeats of its runs', (t) => {
  const path = temporaryPath(t);
  const old = new Database(path);
  migrate(old, path, loadMigrations(new URL('../../sql/', import.meta.url)).slice(0, 3));
  old.exec(`
    INSERT INTO run (run_key, run_id, tag, build, config, workload, repeat, clients, status, started_at,
      directory, runner_pid, runner_start, seed, tool_version, command_line)
    VALUES (1, 'r7', 't', 'b', 'c', 'w', 7, 1, 'done', 'x', 'x', 1, 'x', 1, 'x', 'x')`);
  const views = ['runs', 'steps', 'metrics', 'warnings'];
  const columns = (db: Database.Database, view: string): string[] =>
    (db.pragma(`table_info(${view})`) as { name: string }[]).map(({ name }) => name);
  const before = views.map((view) => columns(old, view));
  const run = firstRow(old, 'runs');
  old.close();

  const store = openStore(path);
  t.after(() => closeStore(store));
  assert.deepEqual(firstRow(store.db, 'runs'), { ...run, attempt: 1, plan: null });
  for (const [i, view] of views.entries()) {
    const had = before[i] as string[];
    assert.deepEqual(columns(store.db, view).slice(0, had.length), had);
  }
});
