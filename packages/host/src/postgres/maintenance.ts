import { type Dialect, postgresDialect, type TableOptions } from '@ibench/core';
import { type Admin, run, type Sender } from './admin.ts';

/** Makes the empty tables of a run. */
export async function createTables(
  admin: Sender,
  tables: readonly string[],
  options: TableOptions,
  dialect: Dialect = postgresDialect,
): Promise<void> {
  for (const table of tables) {
    for (const sql of dialect.createTable(table, options)) {
      await run(admin, sql, `creating ${table}`);
    }
  }
}

/** Builds the secondary indexes of one table, one after the other. */
export async function createIndexes(
  connection: Admin,
  table: string,
  options: TableOptions,
  dialect: Dialect = postgresDialect,
): Promise<void> {
  for (const sql of dialect.createIndexes(table, options)) {
    await run(connection, sql, `building an index of ${table}`, null);
  }
}

/** Vacuum and analyze of one table as settle does it (SPEC 3.6); what it prints goes to the notices. */
export async function vacuumTable(
  connection: Admin,
  table: string,
  versionNum: number,
): Promise<void> {
  const options = versionNum >= 120_000 ? 'verbose, analyze, index_cleanup on' : 'verbose, analyze';
  await run(connection, `vacuum (${options}) ${table}`, `vacuum of ${table}`, null);
}

/** Executes for so many seconds, on rows that are made up one by one. */
export async function compute(connection: Admin, seconds: number): Promise<void> {
  await run(
    connection,
    `select 1 from (select generate_series(1, 2000000000) as n) as numbers
     where clock_timestamp() > now() + interval '${seconds} s' limit 1`,
    'computing for a probe',
    null,
  );
}
