import { RunError, UsageError } from '@ibench/core';
import Database from 'better-sqlite3';
import { isLocked, type Waiting, waitingForLock } from './locked.ts';
import { checkIsStore, type Migration, migrate, schemaVersion } from './migrate.ts';

/**
 * Brings a store that is about to be read up to date, if it is older than this program. That needs the
 * file alone: an older ibench may be at work with it.
 * Throws UsageError, which says what to do, where the file may not be written or another program has it.
 */
export function upgradeToRead(choice: Omit<Waiting, 'db'>, migrations: readonly Migration[]): void {
  const { path, say } = choice;
  const version = versionOf(choice, migrations);
  // An empty file is no store to bring up to date.
  if (version === 0 || version === migrations.length) return;
  const older = `${path} has schema version ${version}, this ibench reads ${migrations.length}`;
  try {
    migrateAlone(choice, migrations);
    say(
      `the store ${path} is brought up to date: schema version ${version} to ${migrations.length}`,
    );
  } catch (error) {
    if (isUnwritable(error)) {
      throw new UsageError(
        `${older}, and it may not be written here to bring it up to date: give a copy of it with --db, or let its owner read it once with this ibench`,
        { cause: error },
      );
    }
    if (!isLocked(error)) throw error;
    // Whoever has it may be a reader that was faster.
    if (versionOf(choice, migrations) === migrations.length) return;
    throw new UsageError(
      `${older}, and another program has it open, so that it cannot be brought up to date: try again when that has ended, or give a copy of it with --db`,
      { cause: error },
    );
  }
}

/** The file, or its folder, in which SQLite makes files beside it. */
function isUnwritable(error: unknown): boolean {
  const cause = error instanceof RunError ? error.cause : error;
  return cause instanceof Database.SqliteError && /^SQLITE_(READONLY|CANTOPEN)/.test(cause.code);
}

function versionOf(choice: Omit<Waiting, 'db'>, migrations: readonly Migration[]): number {
  const db = new Database(choice.path, { readonly: true });
  try {
    return waitingForLock({ ...choice, db }, () => {
      checkIsStore(db, choice.path);
      return schemaVersion(db, choice.path, migrations);
    });
  } finally {
    db.close();
  }
}

function migrateAlone(choice: Omit<Waiting, 'db'>, migrations: readonly Migration[]): void {
  const db = new Database(choice.path);
  try {
    // Set before the first access, it is granted only while no other connection is open.
    db.pragma('locking_mode = EXCLUSIVE');
    waitingForLock({ ...choice, db }, () => {
      db.exec('BEGIN EXCLUSIVE; COMMIT');
      db.pragma('foreign_keys = ON');
      migrate(db, choice.path, migrations);
    });
  } finally {
    db.close();
  }
}
