import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { postgresDialect } from '@ibench/core';
import type { DatabaseServer, MaintenanceConnection } from '../engine.ts';
import { processToken } from '../process.ts';
import {
  type Admin,
  adminError,
  conninfo,
  openAdmin,
  run,
  type ServerAddress,
  signalBackends,
} from './admin.ts';
import { type Build, embeddedLibpq } from './build.ts';
import { type ClusterOptions, createCluster, DATABASE } from './cluster.ts';
import type { ServerConfig } from './config-file.ts';
import { explainQueries } from './explain.ts';
import { removeServerNote, writeServerNote } from './leftover.ts';
import { createIndexes, createTables, vacuumTable } from './maintenance.ts';
import { makeSocketDirectory, reachableBuild, reachableDataDirectory } from './reach.ts';
import { type ServerProcess, startServer } from './server.ts';
import type { ServerUser } from './server-user.ts';
import {
  checkSettings,
  countRows,
  readBackends,
  readBuildFacts,
  readDatabaseSize,
  readWal,
} from './statistics.ts';

/** What a run asks of a Postgres server. */
export interface PostgresOptions {
  readonly build: Build;
  readonly config: ServerConfig;
  readonly user: ServerUser | null;
  /** The run's folder: the server's log and note go there. */
  readonly runDirectory: string;
  /** Where the data should be; it is made. */
  readonly dataDirectory: string;
  readonly keepData: boolean;
  /** Loopback port to listen on; null: only the socket. */
  readonly listenPort: number | null;
  /** Client library for the workers; null: the embedded one. */
  readonly library: string | null;
  /** How the runner's own connections are called. */
  readonly applicationName: string;
  /** Told what a user should know, a line each. */
  readonly say: (text: string) => void;
}

/**
 * Makes a data directory, starts a server on it, makes the benchmark's database and checks that every
 * requested setting took. Whatever fails, nothing stays behind.
 */
export async function startPostgres(options: PostgresOptions): Promise<DatabaseServer> {
  const { user, say, runDirectory, keepData } = options;
  if (user !== null) say(`running as root: the server runs as user ${user.name}`);
  const build = await reachableBuild(options.build, user, say);
  const socketDirectory = await makeSocketDirectory(user);
  let dataDirectory: string | null = null;
  const remove = (): void => {
    fs.rmSync(socketDirectory, { recursive: true, force: true });
    if (!keepData && dataDirectory !== null) {
      fs.rmSync(dataDirectory, { recursive: true, force: true });
    }
    removeServerNote(runDirectory);
  };
  let server: ServerProcess | null = null;
  try {
    const place = { wanted: options.dataDirectory, runDirectory };
    dataDirectory = await reachableDataDirectory(place, user, say);
    const runnerToken = processToken(process.pid) ?? '';
    const note = { runnerPid: process.pid, runnerToken, dataDirectory, socketDirectory, keepData };
    writeServerNote(runDirectory, note);
    const cluster: ClusterOptions = {
      build,
      config: options.config,
      user,
      dataDirectory,
      socketDirectory,
      port: options.listenPort ?? randomInt(20_000, 60_000),
      listen: options.listenPort !== null,
    };
    await createCluster(cluster);
    server = await startServer(cluster, path.join(runDirectory, 'server.log'));
    return await openServer(options, cluster, server, remove);
  } catch (error) {
    await server?.stop(true);
    remove();
    throw error;
  }
}

async function openServer(
  options: PostgresOptions,
  cluster: ClusterOptions,
  server: ServerProcess,
  remove: () => void,
): Promise<DatabaseServer> {
  await createDatabase(cluster, options.applicationName);
  const admin = openAdmin(cluster, options.applicationName);
  const end = async (hurry = false): Promise<void> => {
    await admin.end({ timeout: 1 }).catch(() => {});
    await server.stop(hurry);
    remove();
  };
  try {
    return await describeServer(options, cluster, { admin, server, end });
  } catch (error) {
    await admin.end({ timeout: 1 }).catch(() => {});
    throw error;
  }
}

async function describeServer(
  options: PostgresOptions,
  { build, dataDirectory, ...address }: ClusterOptions,
  {
    admin,
    server,
    end,
  }: { admin: Admin; server: ServerProcess; end: (hurry?: boolean) => Promise<void> },
): Promise<DatabaseServer> {
  const settings = await checkSettings(admin, options.config.settings, options.config.name);
  const settingOf = (name: string): string => settings.find((s) => s.name === name)?.setting ?? '';
  const versionNum = Number(settingOf('server_version_num'));
  const facts = await readBuildFacts(admin);
  facts.set('name', build.name).set('sha256', build.sha256).set('root', build.root);
  return {
    version: build.version,
    pid: server.pid,
    dataDirectory,
    walDirectory: fs.realpathSync(path.join(dataDirectory, 'pg_wal')),
    logPath: server.logPath,
    settings,
    buildFacts: facts,
    maxConnections:
      Number(settingOf('max_connections')) - Number(settingOf('superuser_reserved_connections')),
    exited: server.exited,
    connect: (applicationName) => ({
      driver: 'libpq',
      library: options.library ?? embeddedLibpq(),
      conninfo: conninfo(address, applicationName),
    }),
    createTables: (tables, table) => createTables(admin, tables, table),
    openMaintenance: (name, onNotice) => openMaintenance({ address, name, onNotice, versionNum }),
    explain: async (queries, table) => explainQueries(admin, queries, await idRange(admin, table)),
    countRows: (tables) => countRows(admin, tables),
    databaseBytes: () => readDatabaseSize(admin),
    wal: () => readWal(admin, versionNum),
    backends: () => readBackends(admin),
    cancel: (pids) => signalBackends(admin, pids, 'cancel'),
    stop: end,
  };
}

async function createDatabase(address: ServerAddress, applicationName: string): Promise<void> {
  const first = openAdmin(address, applicationName, { database: 'postgres', max: 1 });
  try {
    await run(first, `create database ${DATABASE}`, 'creating the database');
  } finally {
    await first.end({ timeout: 1 });
  }
}

async function idRange(
  admin: Admin,
  table: string,
): Promise<{ smallest: number; largest: number }> {
  const [low] = await run(admin, postgresDialect.minId(table), `reading the ids of ${table}`);
  const [high] = await run(admin, postgresDialect.maxId(table), `reading the ids of ${table}`);
  return { smallest: Number(low?.min ?? 0), largest: Number(high?.max ?? 0) };
}

async function openMaintenance({
  address,
  name,
  onNotice,
  versionNum,
}: {
  address: ServerAddress;
  name: string;
  onNotice: (text: string) => void;
  versionNum: number;
}): Promise<MaintenanceConnection> {
  const connection = openAdmin(address, name, { max: 1, onNotice });
  const [row] = await run(connection, 'select pg_backend_pid() as pid', 'connecting');
  return {
    backendPid: row?.pid as number,
    createIndexes: (table, options) => createIndexes(connection, table, options),
    vacuum: (table) => vacuumTable(connection, table, versionNum),
    checkpoint: async () => {
      await run(connection, 'checkpoint', 'checkpoint');
    },
    close: () =>
      connection.end({ timeout: 1 }).catch((error) => {
        throw adminError(error, 'closing a connection');
      }),
  };
}
