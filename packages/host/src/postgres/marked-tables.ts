import { postgresDialect, RunError, type TableOptions, UsageError } from '@ibench/core';
import { type Admin, run, type Sender } from './admin.ts';
import { createTables } from './maintenance.ts';

/** What the tables of a run are made from. */
export interface WantedTables {
  readonly tables: readonly string[];
  readonly options: Pick<TableOptions, 'partitions' | 'secondary_indexes'>;
  /** May tables be dropped that ibench did not make? */
  readonly dropForeign: boolean;
}

/** The comment that says who made a table. */
function markOf(runId: string): string {
  return `ibench ${runId}`;
}

const MARK = /^ibench \d{8}-\d{6}-[0-9a-f]{4}$/;

/** Nobody should wait for ever because someone else reads a table. */
const LOCK_TIMEOUT = `set local lock_timeout = '10s'`;

/**
 * Checks that nothing which ibench did not make is in the way of a run's tables, their sequences,
 * partitions and indexes.
 *
 * @returns the tables that have to be dropped first, as SQL names them
 * @throws UsageError that names what is in the way
 */
export async function findTablesToDrop(
  admin: Sender,
  { tables, options, dropForeign }: WantedTables,
): Promise<readonly string[]> {
  const names = tables.flatMap((table) => postgresDialect.relationNames(table, options));
  const drop = new Set<string>();
  for (const { name, kind, root, root_name, root_kind, comment, database } of await findRelations(
    admin,
    names,
  )) {
    const isTable = tables.includes(root_name) && ['r', 'p'].includes(root_kind);
    const isOurs = MARK.test(comment ?? '');
    if (isTable && (isOurs || dropForeign)) {
      drop.add(root);
      continue;
    }
    const what = `${KINDS[kind] ?? 'relation'} ${name}`;
    if (isTable) {
      const of = root_name === name ? '' : ` of ${root}`;
      throw new UsageError(
        `the ${what}${of} in database ${database} was not made by ibench and would be dropped with its rows: name another database, or allow it with --drop-tables`,
      );
    }
    throw new UsageError(
      `the ${what} in database ${database} has a name that a run needs, and is not for ibench to drop: rename it, or name another database`,
    );
  }
  return [...drop];
}

/** Drops what findTablesToDrop says and makes the tables of a run, all or nothing, marked as the run's. */
export async function makeMarkedTables(
  admin: Admin,
  wanted: WantedTables & { readonly options: TableOptions },
  runId: string,
): Promise<void> {
  await admin.begin(async (transaction) => {
    const drop = await findTablesToDrop(transaction, wanted);
    await run(transaction, LOCK_TIMEOUT, 'setting lock_timeout');
    for (const table of drop) await run(transaction, `drop table ${table}`, `dropping ${table}`);
    await createTables(transaction, wanted.tables, wanted.options);
    for (const table of wanted.tables) {
      const sql = `comment on table ${table} is '${markOf(runId)}'`;
      await run(transaction, sql, `marking ${table}`);
    }
  });
}

/** Drops the tables that this run has made. */
export async function dropMarkedTables(admin: Admin, runId: string): Promise<void> {
  await admin.begin(async (transaction) => {
    const rows = await run(
      transaction,
      `select c.oid::regclass::text as name from pg_class c
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
         and obj_description(c.oid, 'pg_class') = '${markOf(runId)}'`,
      'looking for the tables of the run',
    );
    await run(transaction, LOCK_TIMEOUT, 'setting lock_timeout');
    for (const { name } of rows) {
      await run(transaction, `drop table ${name}`, `dropping ${name}`);
    }
  });
}

const KINDS: Readonly<Record<string, string>> = {
  r: 'table',
  p: 'table',
  i: 'index',
  I: 'index',
  S: 'sequence',
  v: 'view',
  m: 'materialized view',
  f: 'foreign table',
  c: 'type',
};

/** Something with one of the names; its root is the table that it belongs to, or itself. */
interface Relation {
  readonly name: string;
  readonly kind: string;
  readonly root: string;
  readonly root_name: string;
  readonly root_kind: string;
  readonly comment: string | null;
  readonly database: string;
}

async function findRelations(admin: Sender, names: readonly string[]): Promise<Relation[]> {
  const [place] = await run(admin, 'select current_schema() as schema', 'looking for tables');
  if (place?.schema == null) {
    throw new RunError('there is no schema to make tables in: set search_path for this user');
  }
  const list = names.map((name) => `'${name}'`).join(', ');
  const rows = await run(
    admin,
    `with found as (
       select c.oid, c.relname, c.relkind, coalesce(
         (select indrelid from pg_index where indexrelid = c.oid),
         (select inhparent from pg_inherits where inhrelid = c.oid limit 1),
         (select refobjid from pg_depend where classid = 'pg_class'::regclass and objid = c.oid
            and refclassid = 'pg_class'::regclass and deptype in ('a', 'i') limit 1),
         c.oid) as root
       from pg_class c
       where c.relnamespace = current_schema()::regnamespace and c.relname in (${list}))
     select found.relname::text as name, found.relkind::text as kind, root::regclass::text as root,
       r.relname::text as root_name, r.relkind::text as root_kind,
       obj_description(root, 'pg_class') as comment, current_database()::text as database
     from found join pg_class r on r.oid = found.root order by found.relname`,
    'looking for tables',
  );
  return rows as unknown as Relation[];
}
