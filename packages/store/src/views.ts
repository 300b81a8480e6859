import { nearest, UsageError } from '@ibench/core';
import { prepare, type Store } from './open.ts';

/** What a view holds, read as it is asked for. */
export interface ViewRows {
  readonly columns: readonly string[];
  /**
   * Values in the order of the columns. Nothing else can be read from the store until it is read to its end
   * or left early with `return`, as `for … of` does.
   */
  readonly rows: Iterable<readonly ViewValue[]>;
}

export type ViewValue = string | number | null;

/** Names of the views, which docs/STORE.md describes. */
export function viewNames(store: Store): string[] {
  return prepare(store, "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")
    .pluck()
    .all() as string[];
}

/**
 * The rows of a view, one at a time, of these runs where the view has a `run_id`; of all unless given.
 * @throws UsageError for a view that is not there
 */
export function readView(store: Store, name: string, runIds?: readonly string[]): ViewRows {
  const names = viewNames(store);
  if (!names.includes(name)) {
    const near = nearest(name, names);
    const hint = near === null ? '' : `, did you mean "${near}"?`;
    throw new UsageError(`unknown view "${name}"${hint} (views: ${names.join(', ')})`);
  }
  const columns = store.db
    .prepare(`SELECT * FROM ${name}`)
    .columns()
    .map((column) => column.name);
  const restricted = runIds !== undefined && columns.includes('run_id');
  const where = restricted ? 'WHERE run_id IN (SELECT value FROM json_each(@runIds))' : '';
  const statement = store.db.prepare(`SELECT * FROM ${name} ${where}`).raw();
  const rows = restricted
    ? statement.iterate({ runIds: JSON.stringify(runIds) })
    : statement.iterate();
  return { columns, rows: rows as Iterable<readonly ViewValue[]> };
}

/** Runs `work` in one read transaction: all that it reads is of one moment, whatever others write. */
export async function inSnapshot<T>(store: Store, work: () => Promise<T>): Promise<T> {
  store.db.exec('BEGIN');
  try {
    return await work();
  } finally {
    store.db.exec('COMMIT');
  }
}
