import fs from 'node:fs';
import { RunError } from '@ibench/core';
import postgres from 'postgres';
import { DATABASE, SUPERUSER } from './cluster.ts';
import type { ServerAccess, Ssl } from './connection-string.ts';
import { STATEMENT_MS, Statements } from './statements.ts';

/** Where statements are sent. */
export interface Sender {
  /** @param limitMs see `run` */
  unsafe(sql: string, limitMs?: number | null): Promise<postgres.Row[]>;
}

/** Connections for administration and statistics, through postgres.js. */
export interface Admin extends Sender {
  /** Does everything or nothing. */
  begin(work: (transaction: Sender) => Promise<void>): Promise<void>;
  /** Cancels what is under way, here and on what ends with this, and closes the connections. */
  end(options: { readonly timeout: number }): Promise<void>;
  /** Connections that end with these at the latest. */
  readonly others: Set<Admin>;
}

/** Where a server of ours is. */
export interface ServerAddress {
  readonly socketDirectory: string;
  readonly port: number;
}

/** How to reach a server of ours: its socket, as its superuser. */
export function ownAccess({ socketDirectory, port }: ServerAddress): ServerAccess {
  return {
    host: socketDirectory,
    port,
    user: SUPERUSER,
    database: DATABASE,
    password: null,
    ssl: { mode: 'disable', rootCert: null, cert: null, key: null },
  };
}

/**
 * Opens a pool for administration; it connects when first used.
 *
 * @param applicationName how its backends are called in pg_stat_activity
 * @param options.max most connections
 * @param options.onNotice is told what the server says beside results (vacuum verbose)
 * @param options.endsWith connections with which these end at the latest
 */
export function openAdmin(
  server: ServerAddress | ServerAccess,
  applicationName: string,
  options: {
    database?: string;
    max?: number;
    onNotice?: (text: string) => void;
    endsWith?: Admin;
  } = {},
): Admin {
  const { host, port, user, database, password, ssl } = accessOf(server);
  const pool = postgres({
    ...placeOf(host, port),
    database: options.database ?? database,
    username: user,
    password: password ?? '',
    ssl: isSocket(host) ? false : encryption(ssl, host),
    max: options.max ?? 2,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 30,
    prepare: false,
    fetch_types: false,
    onnotice: (notice) => options.onNotice?.(noticeText(notice)),
    connection: { application_name: applicationName },
  });
  return adminOf(pool, options.endsWith?.others);
}

function adminOf(pool: postgres.Sql, siblings: Set<Admin> | undefined): Admin {
  const statements = new Statements();
  const others = new Set<Admin>();
  const senderOn = (connection: Pick<postgres.Sql, 'unsafe'>): Sender => ({
    unsafe: (sql, limitMs = STATEMENT_MS) => statements.send(connection.unsafe(sql), limitMs),
  });
  const admin: Admin = {
    ...senderOn(pool),
    others,
    begin: async (work) => {
      let isCommitted = false;
      try {
        await pool.begin(async (connection) => {
          const transaction = senderOn(connection);
          await work(transaction);
          // That of the library, which follows, cannot be cancelled; it has nothing left to commit.
          await run(transaction, 'commit', 'committing');
          isCommitted = true;
        });
      } catch (error) {
        if (!isCommitted) throw error;
      }
    },
    end: async ({ timeout }) => {
      siblings?.delete(admin);
      statements.cancel();
      const ends = [...others].map((one) => one.end({ timeout }));
      await Promise.all([pool.end({ timeout }), Promise.allSettled(ends)]);
    },
  };
  siblings?.add(admin);
  return admin;
}

function accessOf(server: ServerAddress | ServerAccess): ServerAccess {
  return 'host' in server ? server : ownAccess(server);
}

/** An address with colons stays whole only in a list, a directory is recognised only outside of one. */
function placeOf(host: string, port: number): { host: string; port: number } {
  if (isSocket(host)) return { host, port };
  // Lists are not in the type of this overload.
  return { host: [host], port: [port] } as unknown as { host: string; port: number };
}

function isSocket(host: string): boolean {
  return host.startsWith('/');
}

/** libpq's modes in the words of postgres.js and Node's tls. */
function encryption({ mode, rootCert, cert, key }: Ssl, host: string): boolean | 'prefer' | object {
  const read = (file: string | null): Buffer | undefined =>
    file === null ? undefined : fs.readFileSync(file);
  switch (mode) {
    case 'disable':
      return false;
    case 'allow':
    case 'prefer':
      return 'prefer';
    case 'require':
      return { rejectUnauthorized: false, cert: read(cert), key: read(key) };
    case 'verify-ca':
    case 'verify-full':
      return {
        // The name to compare, which postgres.js does not pass on when it is an address.
        host,
        ca: read(rootCert),
        cert: read(cert),
        key: read(key),
        ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
      };
    default: {
      const never: never = mode;
      return never;
    }
  }
}

function noticeText(notice: postgres.Notice): string {
  return [notice.message, notice.detail].filter(Boolean).join('\n');
}

/**
 * Runs one statement of ours, on a connection or in a transaction; an error names what it was for.
 *
 * @param limitMs after which it is cancelled; null: it reads or writes the run's data, which can take any
 *   time, and it is cancelled when its connections are closed
 */
export async function run(
  admin: Sender,
  sql: string,
  purpose: string,
  limitMs: number | null = STATEMENT_MS,
): Promise<postgres.Row[]> {
  try {
    return await admin.unsafe(sql, limitMs);
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

/**
 * libpq's connection string for a worker; nothing is taken from the environment but the password, which
 * is not in it: the string can be seen in the list of processes.
 */
export function conninfo(server: ServerAddress | ServerAccess, applicationName: string): string {
  const { host, port, user, database, ssl } = accessOf(server);
  const quoted = (value: string): string => `'${value.replaceAll(/[\\']/g, '\\$&')}'`;
  const parameters: Record<string, string | null> = {
    host,
    port: String(port),
    dbname: database,
    user,
    sslmode: ssl.mode,
    sslrootcert: ssl.rootCert,
    sslcert: ssl.cert,
    sslkey: ssl.key,
    gssencmode: 'disable',
    application_name: applicationName,
    connect_timeout: '30',
  };
  return Object.entries(parameters)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${quoted(value)}`]))
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
