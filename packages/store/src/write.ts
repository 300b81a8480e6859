import { RunError } from '@ibench/core';
import Database from 'better-sqlite3';
import { storeFault, waitingForLock } from './locked.ts';
import { prepare, type Store } from './open.ts';

/** What may be written to a column; NaN and infinities become NULL, booleans 0 and 1. */
export type Value = string | number | bigint | boolean | null;

/** A row by its column names. */
export type Row = Readonly<Record<string, Value>>;

/**
 * Runs `work` in one transaction that takes the write lock at its start.
 * What SQLite refuses becomes a RunError that names the file.
 */
export function transact<T>(store: Store, work: () => T): T {
  try {
    // Who waits for the lock has not begun to work.
    return waitingForLock(store, () => store.db.transaction(work).immediate());
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    throw new RunError(`cannot write to the store ${store.path}: ${storeFault(error)}`, {
      cause: error,
    });
  }
}

/** As `transact`, and the file is synced: this commit and all before it survive a loss of power. */
export function durably<T>(store: Store, work: () => T): T {
  store.db.pragma('synchronous = FULL');
  try {
    return transact(store, work);
  } finally {
    store.db.pragma('synchronous = NORMAL');
  }
}

/** Inserts one row and returns its rowid. `REPLACE` overwrites the row with the same primary key. */
export function insertRow(
  store: Store,
  table: string,
  row: Row,
  verb: 'INSERT' | 'REPLACE' = 'INSERT',
): number {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  const sql = `${verb} INTO ${table} (${columns.join(', ')}) VALUES (${places})`;
  return Number(prepare(store, sql).run(...Object.values(row).map(toSql)).lastInsertRowid);
}

/** The fields of a record as columns: `readAwaitMs` becomes `read_await_ms`. */
export function toColumns(record: Readonly<Record<string, Value>>): Row {
  const entries = Object.entries(record).map(([key, value]) => [toSnakeCase(key), value] as const);
  return Object.fromEntries(entries);
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The driver binds numbers as REAL, which shows as 5.0 in a column without a type; a bigint stays whole. */
function toSql(value: Value): string | number | bigint | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'number') return value;
  if (Number.isSafeInteger(value)) return BigInt(value);
  return Number.isFinite(value) ? value : null;
}
