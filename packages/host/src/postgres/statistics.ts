import fs from 'node:fs';
import path from 'node:path';
import { RunError } from '@ibench/core';
import type { Row } from 'postgres';
import type { RequestedSetting } from '../config/resolve-config.ts';
import type { Backend } from '../engine.ts';
import { type Admin, run } from './admin.ts';
import { type AppliedSetting, applySettings, type SettingRow, settingFaults } from './settings.ts';

/**
 * Reads all settings back and compares those that were requested.
 *
 * @throws RunError that names each setting that did not take, with both values
 */
export async function checkSettings(
  admin: Admin,
  requested: readonly RequestedSetting[],
  configName: string,
): Promise<AppliedSetting[]> {
  const rows = (await run(
    admin,
    `select name, setting, unit, vartype, array_to_string(enumvals, ',') as enumvals, boot_val, source,
       pending_restart from pg_settings order by name`,
    'reading the settings',
  )) as unknown as SettingRow[];
  const faults = settingFaults(requested, rows);
  if (faults.length > 0) {
    throw new RunError(
      `the server did not take ${faults.length === 1 ? 'a setting' : `${faults.length} settings`} of config ${configName}:\n  ${faults.join('\n  ')}`,
    );
  }
  return applySettings(requested, rows);
}

/** What the server says about its build: version text, configure line, compiler and flags. */
export async function readBuildFacts(admin: Admin): Promise<Map<string, string>> {
  const facts = new Map<string, string>();
  const [version] = await run(admin, 'select version() as v', 'reading the version');
  facts.set('version_text', version?.v as string);
  for (const row of await readPgConfig(admin)) {
    facts.set(`pg_config_${(row.name as string).toLowerCase()}`, row.setting as string);
  }
  const names = [
    'server_version_num',
    'block_size',
    'wal_block_size',
    'data_checksums',
    'debug_assertions',
    'wal_segment_size',
  ];
  for (const name of names) {
    const [row] = await run(
      admin,
      `select current_setting('${name}', true) as v`,
      'reading settings',
    );
    if (row?.v != null) facts.set(name, row.v as string);
  }
  return facts;
}

/** SQLSTATE of what this user may not do. */
export const INSUFFICIENT_PRIVILEGE = '42501';

/** Only superusers may read it unless it was granted. */
async function readPgConfig(admin: Admin): Promise<Row[]> {
  try {
    return await run(admin, 'select name, setting from pg_config', 'reading pg_config');
  } catch (error) {
    if (error instanceof RunError && error.sqlstate === INSUFFICIENT_PRIVILEGE) return [];
    throw error;
  }
}

/** Where the WAL ends, in bytes. */
export async function readWalBytes(admin: Admin): Promise<number> {
  const [position] = await run(
    admin,
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`,
    'reading the WAL position',
  );
  return Number(position?.bytes);
}

/** Size of the current database as the server reports it, bytes. */
export async function readDatabaseSize(admin: Admin): Promise<number> {
  const [row] = await run(
    admin,
    'select pg_database_size(current_database())::text as bytes',
    'reading the database size',
  );
  return Number(row?.bytes);
}

/** Bytes allocated to a directory and everything below; files that vanish meanwhile do not count. */
export function directoryBytes(directory: string): number {
  let bytes = 0;
  for (const entry of readDirectory(directory)) {
    const file = path.join(directory, entry.name);
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    bytes += stat.isDirectory() ? directoryBytes(file) : stat.blocks * 512;
  }
  return bytes;
}

function readDirectory(directory: string): fs.Dirent[] {
  try {
    return fs.readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Is a row of pg_stat_activity a client's? An ordinary user is not told the type of others' backends; those
 * of a user in a database are taken as clients then. One that is still being started has no state, or in
 * 18 `starting`, and no name yet: it is left out until it has.
 */
export const IS_CLIENT = `(backend_type = 'client backend' and state <> 'starting'
  or backend_type is null and datid is not null and usesysid is not null)`;

/** All client backends of the server. */
export async function readBackends(admin: Admin): Promise<Backend[]> {
  const rows = await run(
    admin,
    `select pid, coalesce(application_name, '') as application_name from pg_stat_activity
     where ${IS_CLIENT}`,
    'reading pg_stat_activity',
  );
  return rows.map((row) => ({
    pid: row.pid as number,
    applicationName: row.application_name as string,
  }));
}

/** Number of rows in each table: exact, by counting. */
export async function countRows(admin: Admin, tables: readonly string[]): Promise<number[]> {
  const counts: number[] = [];
  for (const table of tables) {
    const [row] = await run(
      admin,
      `select count(*)::text as n from ${table}`,
      `counting ${table}`,
      null,
    );
    counts.push(Number(row?.n));
  }
  return counts;
}
