import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { RunError, UsageError } from '@ibench/core';
import type Database from 'better-sqlite3';

/** Marks a SQLite file as an ibench store: 'iben' in ASCII. */
const APPLICATION_ID = 0x6962656e;

/** One numbered SQL file. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

interface Applied {
  readonly version: number;
  readonly name: string;
  readonly sha256: string;
}

/** Reads `NNN_name.sql` files, in order. Throws RunError for another name, a gap or a number used twice. */
export function loadMigrations(folder: URL): readonly Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return names.map((name, index) => {
    const version = Number(/^(\d{3})_[a-z0-9_]+\.sql$/.exec(name)?.[1]);
    if (version !== index + 1) {
      const expected = String(index + 1).padStart(3, '0');
      throw new RunError(`migration ${name}: expected a file named ${expected}_<name>.sql here`);
    }
    const sql = readFileSync(new URL(name, folder), 'utf8');
    return { version, name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}

/** Throws UsageError unless the file is an ibench store or still empty. Writes nothing. */
export function checkIsStore(db: Database.Database, path: string): void {
  // One transaction: another process may be making the store between the two reads.
  const [id, objects] = db.transaction(() => [
    db.pragma('application_id', { simple: true }),
    db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get(),
  ])();
  if (id === APPLICATION_ID || (id === 0 && objects === 0)) return;
  throw new UsageError(
    `${path} is a SQLite file of another program (application_id ${id}, expected ${APPLICATION_ID}); give another file`,
  );
}

/**
 * The number of migrations that have been applied; 0: the file is empty. Writes nothing.
 * Throws as `migrate` for a file that is newer or has another history.
 */
export function schemaVersion(
  db: Database.Database,
  path: string,
  migrations: readonly Migration[],
): number {
  const applied = loadApplied(db);
  checkHistory(path, applied, migrations);
  return applied.length;
}

/** Throws UsageError unless all migrations, and no others, have been applied. Writes nothing. */
export function checkIsUpToDate(
  db: Database.Database,
  path: string,
  migrations: readonly Migration[],
): void {
  const version = schemaVersion(db, path, migrations);
  if (version === migrations.length) return;
  throw new UsageError(
    `${path} has schema version ${version}, this ibench reads ${migrations.length}; expected a store that a run has written`,
  );
}

/**
 * Applies the migrations that the file lacks, each in a transaction of its own, and records them in
 * `schema_migration`. Two processes may do this at once: each migration is applied by one of them.
 * Throws UsageError if the file is newer than `migrations`, RunError if its history differs from them.
 */
export function migrate(
  db: Database.Database,
  path: string,
  migrations: readonly Migration[],
): void {
  checkHistory(path, loadApplied(db), migrations);
  for (const migration of migrations) {
    db.transaction(() => {
      const applied = loadApplied(db);
      checkHistory(path, applied, migrations);
      if (applied.length < migration.version) apply(db, path, migration);
    }).immediate();
  }
}

function loadApplied(db: Database.Database): readonly Applied[] {
  const exists = db
    .prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'schema_migration'")
    .pluck()
    .get();
  if (exists === 0) return [];
  return db
    .prepare('SELECT version, name, sha256 FROM schema_migration ORDER BY version')
    .all() as Applied[];
}

/** What was applied must be the first part of what the program has: no gap, nothing newer, nothing edited. */
function checkHistory(
  path: string,
  applied: readonly Applied[],
  migrations: readonly Migration[],
): void {
  for (const [index, found] of applied.entries()) {
    if (found.version !== index + 1) {
      throw new RunError(
        `${path}: migration ${index + 1} is missing from its history, which goes on with ${found.version} (${found.name}); the file is damaged, use a copy or a new file`,
      );
    }
    const expected = migrations[index];
    if (expected === undefined) {
      throw new UsageError(
        `${path} has schema version ${applied.at(-1)?.version}, this ibench knows up to ${migrations.length}; use the ibench that wrote it, or a newer one`,
      );
    }
    if (found.sha256 !== expected.sha256) {
      throw new RunError(
        `${path}: migration ${found.name} was applied with other contents than ${expected.name} has now; use the ibench that wrote the file, or a new file`,
      );
    }
  }
}

function apply(db: Database.Database, path: string, migration: Migration): void {
  try {
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.exec(`CREATE TABLE IF NOT EXISTS schema_migration (
      version INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at TEXT NOT NULL)`);
    db.exec(migration.sql);
    db.prepare(
      "INSERT INTO schema_migration VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
    ).run(migration.version, migration.name, migration.sha256);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RunError(`${path}: migration ${migration.name} failed: ${reason}`, { cause: error });
  }
}
