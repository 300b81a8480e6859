/** A common table expression `own`: the oids of a run's tables and their partitions. */
export function ownTables(tables: readonly string[]): string {
  const names = tables.map((table) => `to_regclass('${table}')`).join(', ');
  return `own as (select oid from unnest(array[${names}]::regclass[]::oid[]) as oid where oid is not null
    union select relid from unnest(array[${names}]::regclass[]) as parent, pg_partition_tree(parent)
      where parent is not null)`;
}
