import type { IndexState } from '../engine.ts';
import { type Admin, run } from './admin.ts';
import { ownTables } from './own-tables.ts';

/** The indexes of tables; of those of their partitions the ones that belong to no index of the table, or are not valid. */
export async function readIndexes(admin: Admin, tables: readonly string[]): Promise<IndexState[]> {
  const rows = await run(
    admin,
    `with ${ownTables(tables)}, found as (
       select t.relname as table, c.relname as name, c.oid::text as identity, i.indisprimary as is_primary,
         i.indisvalid and i.indisready and i.indislive as is_usable, c.relispartition as is_part
       from pg_index i join own on own.oid = i.indrelid
         join pg_class t on t.oid = i.indrelid join pg_class c on c.oid = i.indexrelid)
     select * from found where not (is_part and is_usable) order by name`,
    'reading the indexes',
  );
  return rows.map((row) => ({
    table: row.table as string,
    name: row.name as string,
    identity: row.identity as string,
    isPrimary: row.is_primary as boolean,
    isUsable: row.is_usable as boolean,
  }));
}
