import { type Connect, type Driver, postgresDialect } from '@ibench/core';
import { embeddedLibpq } from '../builds/embedded.ts';
import type { DatabaseServer, MaintenanceConnection } from '../engine.ts';
import { type Admin, adminError, conninfo, openAdmin, run, signalBackends } from './admin.ts';
import type { ServerAccess } from './connection-string.ts';
import { explainQueries } from './explain.ts';
import { readIndexes } from './indexes.ts';
import { compute, createIndexes, vacuumTable } from './maintenance.ts';
import { openObserver } from './observer.ts';
import { readServerState } from './server-state.ts';
import { ServerStatistics } from './server-statistics.ts';
import type { AppliedSetting } from './settings.ts';
import { countRows, readBackends, readDatabaseSize, readWalBytes } from './statistics.ts';

/** Client library of the workers. */
export interface ClientLibrary {
  readonly driver: Driver;
  /** Which libpq; null: the embedded one. */
  readonly library: string | null;
  /** Workers poll for answers instead of sleeping (libpq). */
  readonly spin: boolean;
}

/** A Postgres server that we are connected to, and how workers are to connect. */
export interface Connected extends ClientLibrary {
  readonly admin: Admin;
  readonly access: ServerAccess;
  /** How the runner's own connections are called. */
  readonly applicationName: string;
  readonly settings: readonly AppliedSetting[];
}

/** The part of a DatabaseServer that is the same for all Postgres servers, however they came to run. */
export type ConnectedServer = Pick<
  DatabaseServer,
  | 'settings'
  | 'maxConnections'
  | 'connect'
  | 'workerEnvironment'
  | 'openMaintenance'
  | 'explain'
  | 'countRows'
  | 'databaseBytes'
  | 'walBytes'
  | 'statistics'
  | 'observe'
  | 'backends'
  | 'indexes'
  | 'state'
  | 'cancel'
>;

/** What any Postgres server can be asked and told over connections. */
export function connectedServer(connected: Connected): ConnectedServer {
  const { admin, access, settings } = connected;
  const settingOf = (name: string): string => settings.find((s) => s.name === name)?.setting ?? '';
  const versionNum = Number(settingOf('server_version_num'));
  const statistics = new ServerStatistics(admin, settingOf);
  return {
    settings,
    maxConnections:
      Number(settingOf('max_connections')) - Number(settingOf('superuser_reserved_connections')),
    connect: (name) => connectBy(connected, conninfo(access, name)),
    workerEnvironment: access.password === null ? {} : { PGPASSWORD: access.password },
    openMaintenance: (name, onNotice) =>
      openMaintenance({ admin, access, name, onNotice, versionNum }),
    explain: async (queries, table) => explainQueries(admin, queries, await idRange(admin, table)),
    countRows: (tables) => countApart(connected, tables),
    databaseBytes: () => readDatabaseSize(admin),
    walBytes: () => readWalBytes(admin),
    statistics: (tables, ended) => statistics.read(tables, ended),
    observe: (name) => openObserver(access, name, admin),
    backends: () => readBackends(admin),
    indexes: (tables) => readIndexes(admin, tables),
    state: () => readServerState(admin),
    cancel: (pids) => signalBackends(admin, pids, 'cancel'),
  };
}

function connectBy({ driver, library, spin }: ClientLibrary, conninfo: string): Connect {
  return driver === 'libpq'
    ? { driver, library: library ?? embeddedLibpq(), conninfo, spin }
    : { driver, conninfo };
}

/** On a connection that ends with it: what it read is in the statistics then, before the next step. */
async function countApart(
  { admin, access, applicationName }: Connected,
  tables: readonly string[],
): Promise<number[]> {
  const connection = openAdmin(access, applicationName, { max: 1, endsWith: admin });
  try {
    return await countRows(connection, tables);
  } finally {
    await connection.end({ timeout: 1 }).catch(() => {});
  }
}

async function idRange(
  admin: Admin,
  table: string,
): Promise<{ smallest: number; largest: number }> {
  const purpose = `reading the ids of ${table}`;
  const [low] = await run(admin, postgresDialect.minId(table), purpose, null);
  const [high] = await run(admin, postgresDialect.maxId(table), purpose, null);
  return { smallest: Number(low?.min ?? 0), largest: Number(high?.max ?? 0) };
}

async function openMaintenance({
  admin,
  access,
  name,
  onNotice,
  versionNum,
}: {
  admin: Admin;
  access: ServerAccess;
  name: string;
  onNotice: (text: string) => void;
  versionNum: number;
}): Promise<MaintenanceConnection> {
  const connection = openAdmin(access, name, { max: 1, onNotice, endsWith: admin });
  const [row] = await run(connection, 'select pg_backend_pid() as pid', 'connecting');
  return {
    backendPid: row?.pid as number,
    createIndexes: (table, options) => createIndexes(connection, table, options),
    vacuum: (table) => vacuumTable(connection, table, versionNum),
    checkpoint: async () => {
      await run(connection, 'checkpoint', 'checkpoint', null);
    },
    compute: (seconds) => compute(connection, seconds),
    close: () =>
      connection.end({ timeout: 1 }).catch((error) => {
        throw adminError(error, 'closing a connection');
      }),
  };
}
