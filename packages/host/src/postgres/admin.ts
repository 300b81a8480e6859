import { RunError } from '@ibench/core';
import postgres from 'postgres';
import { DATABASE, SUPERUSER } from './cluster.ts';

/** Connections for administration and statistics, through postgres.js. */
export type Admin = postgres.Sql;

/** Where a server is. */
export interface ServerAddress {
  readonly socketDirectory: string;
  readonly port: number;
}

/**
 * Opens a pool for administration; it connects when first used.
 *
 * @param applicationName how its backends are called in pg_stat_activity
 * @param options.max most connections
 * @param options.onNotice is told what the server says beside results (vacuum verbose)
 */
export function openAdmin(
  address: ServerAddress,
  applicationName: string,
  options: { database?: string; max?: number; onNotice?: (text: string) => void } = {},
): Admin {
  return postgres({
    host: address.socketDirectory,
    port: address.port,
    database: options.database ?? DATABASE,
    username: SUPERUSER,
    password: '',
    ssl: false,
    max: options.max ?? 2,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 30,
    prepare: false,
    fetch_types: false,
    onnotice: (notice) => options.onNotice?.(noticeText(notice)),
    connection: { application_name: applicationName },
  });
}

function noticeText(notice: postgres.Notice): string {
  return [notice.message, notice.detail].filter(Boolean).join('\n');
}

/** Runs one statement of ours; an error names what it was for. */
export async function run(admin: Admin, sql: string, purpose: string): Promise<postgres.Row[]> {
  try {
    return [...(await admin.unsafe(sql))];
  } catch (error) {
    throw adminError(error, purpose);
  }
}

/** The database's error in the terms of the tool. */
export function adminError(error: unknown, purpose: string): RunError {
  const { message, code } = error as { message: string; code?: string };
  const shown = code === undefined ? '' : ` (${code})`;
  // Codes of the network are no SQLSTATEs.
  const sqlstate = error instanceof postgres.PostgresError ? code : undefined;
  return new RunError(`${purpose} failed${shown}: ${message}`, { cause: error, sqlstate });
}

/** libpq's connection string for a worker; nothing is taken from the environment. */
export function conninfo(address: ServerAddress, applicationName: string): string {
  const quoted = (value: string): string => `'${value.replaceAll(/[\\']/g, '\\$&')}'`;
  return Object.entries({
    host: address.socketDirectory,
    port: String(address.port),
    dbname: DATABASE,
    user: SUPERUSER,
    sslmode: 'disable',
    gssencmode: 'disable',
    application_name: applicationName,
    connect_timeout: '30',
  })
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(' ');
}

/** Asks the server to cancel what these backends are doing, or to end them. */
export async function signalBackends(
  admin: Admin,
  pids: readonly number[],
  how: 'cancel' | 'terminate',
): Promise<void> {
  if (pids.length === 0) return;
  const list = pids.join(',');
  await admin.unsafe(`select pg_${how}_backend(pid) from unnest(array[${list}]::int[]) as pid`);
}
