import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { RunError, UsageError } from '@ibench/core';
import Database from 'better-sqlite3';
import { isLocked, storeFault, type Waiting, waitingForLock } from './locked.ts';
import { checkIsStore, checkIsUpToDate, loadMigrations, migrate } from './migrate.ts';
import { upgradeToRead } from './upgrade.ts';

/** How long it is waited for other programs that have the file locked. */
const PATIENCE_MS = 10_000;
const BUSY_RETRY_MS = 20;
/** A store has command lines, paths and host facts, which other users need not see. */
const OWNER_ONLY = 0o600;

/** An open store. Made by `openStore`, given to every other function, released by `closeStore`. */
export interface Store extends Waiting {
  /** Prepared statements by their text; see `prepare`. */
  readonly statements: Map<string, Database.Statement>;
}

/** How a store is opened. */
export interface OpenOptions {
  readonly readonly?: boolean;
  /** Told that another program has the file locked, when it has to be waited for. */
  readonly say?: (text: string) => void;
  readonly patienceMs?: number;
}

/**
 * Opens the SQLite file at `path` and brings its schema up to date; a missing file is made, its folder is
 * not. With `readonly` the file must exist; it may be in use by a writer, unless it is older than this
 * program: then it is brought up to date first, while nobody else has it.
 * Throws UsageError for a file that is no store, or newer, or (read-only) older and not to be changed, and for
 * a place where none can be opened.
 */
export function openStore(path: string, options: OpenOptions = {}): Store {
  const { readonly = false, say = () => {}, patienceMs = PATIENCE_MS } = options;
  if (readonly && !existsSync(path)) {
    throw new UsageError(`${path}: no such file; expected an ibench store, which a run creates`);
  }
  const migrations = loadMigrations(new URL('../../sql/', import.meta.url));
  if (readonly)
    explained(path, readonly, () => upgradeToRead({ path, say, patienceMs }, migrations));
  const waiting: Waiting = {
    path,
    db: explained(path, readonly, () => connect(path, readonly)),
    say,
    patienceMs,
  };
  const { db } = waiting;
  try {
    waitingForLock(waiting, (limitMs) => {
      checkIsStore(db, path);
      if (readonly) {
        checkIsUpToDate(db, path, migrations);
      } else {
        setPragmas(db, limitMs);
        migrate(db, path, migrations);
      }
    });
  } catch (error) {
    db.close();
    throw explainOpenError(path, readonly, error);
  }
  return { ...waiting, statements: new Map() };
}

/** Closes the file; the last connection to close folds the WAL into it. */
export function closeStore(store: Store): void {
  store.db.close();
}

/** The prepared statement for this text, made on first use. */
export function prepare(store: Store, sql: string): Database.Statement {
  let statement = store.statements.get(sql);
  if (statement === undefined) {
    statement = store.db.prepare(sql);
    store.statements.set(sql, statement);
  }
  return statement;
}

function connect(path: string, readonly: boolean): Database.Database {
  if (!readonly) makeIfMissing(path);
  return new Database(path, { readonly });
}

function explained<T>(path: string, readonly: boolean, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explainOpenError(path, readonly, error);
  }
}

/** An empty file is a new database to SQLite, and `-wal` and `-shm` take its mode. */
function makeIfMissing(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', OWNER_ONLY));
}

/**
 * NORMAL: a commit is with the kernel when the call returns, so it survives the death of this process,
 * but it is not synced, so that the store does not disturb the disk being measured. The ends of steps
 * and runs are synced (`durably`), and with them all that came before.
 */
function setPragmas(db: Database.Database, limitMs: number): void {
  switchToWal(db, limitMs);
  db.pragma('synchronous = NORMAL');
  db.pragma('foreign_keys = ON');
}

/** SQLite does not wait for other connections here, whatever the busy timeout, so this does. */
function switchToWal(db: Database.Database, limitMs: number): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let triesLeft = limitMs / BUSY_RETRY_MS; ; triesLeft--) {
    try {
      db.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isLocked(error) || triesLeft <= 0) throw error;
      Atomics.wait(sleeper, 0, 0, BUSY_RETRY_MS);
    }
  }
}

function explainOpenError(path: string, readonly: boolean, error: unknown): unknown {
  if (error instanceof UsageError || error instanceof RunError) return error;
  if (error instanceof Database.SqliteError && error.code === 'SQLITE_NOTADB') {
    return new UsageError(`${path} is not a SQLite file; expected an ibench store or a new file`, {
      cause: error,
    });
  }
  const why = isNoFile(path) || isOfPlace(error) ? faultOfPlace(path, readonly) : null;
  if (why !== null) {
    const remedy = 'name another with --db or --runs-dir';
    return new UsageError(`cannot open the store ${path}: ${why}; ${remedy}`, { cause: error });
  }
  const reason = error instanceof Error ? storeFault(error) : String(error);
  return new RunError(`cannot open the store ${path}: ${reason}`, { cause: error });
}

/** Is there something else in its place? SQLite has several words for it. */
function isNoFile(path: string): boolean {
  return existsSync(path) && !statSync(path).isFile();
}

/** Says SQLite, or the system, no more than that it may not or cannot? */
function isOfPlace(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return /^(SQLITE_(CANTOPEN|READONLY).*|E(ACCES|NOENT|PERM|ISDIR|ROFS|NOTDIR))$/.test(code);
}

/** What is in the way of a file that SQLite, which does not say why, cannot open; null: nothing that is seen here. */
function faultOfPlace(path: string, readonly: boolean): string | null {
  const may = (place: string, mode: number): boolean => {
    try {
      accessSync(place, mode);
      return true;
    } catch {
      return false;
    }
  };
  const folder = dirname(path);
  if (existsSync(path)) {
    if (isNoFile(path)) return 'expected a file, this is none';
    if (!may(path, constants.R_OK)) return 'this user may not read it';
    if (!readonly && !may(path, constants.W_OK)) return 'this user may not write it';
  }
  if (!existsSync(folder)) return `there is no folder ${folder}`;
  if (!statSync(folder).isDirectory()) return `${folder} is not a folder`;
  if (may(folder, constants.W_OK | constants.X_OK)) return null;
  return `this user may not write in ${folder}, where SQLite keeps two files beside it`;
}
