import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { abortable } from '../abortable.ts';
import { type Build, describeBuild } from '../builds/build.ts';
import type { ServerConfig } from '../config/resolve-config.ts';
import type { OwnServer } from '../engine.ts';
import { processToken } from '../process.ts';
import { localReader } from '../reader/local-reader.ts';
import { type Admin, openAdmin, ownAccess, run, type ServerAddress } from './admin.ts';
import { type ClusterOptions, createCluster, DATABASE, writeConfiguration } from './cluster.ts';
import { type ClientLibrary, connectedServer } from './connected-server.ts';
import type { ServerAccess } from './connection-string.ts';
import { checkShutDown, copyData } from './data-copy.ts';
import { removeServerNote, writeServerNote } from './leftover.ts';
import { createTables } from './maintenance.ts';
import { makeSocketDirectory, reachableBuild, reachableDataDirectory } from './reach.ts';
import { markSocketDirectory } from './run-marks.ts';
import { HURRIED_LADDER, type ServerProcess, startServer } from './server.ts';
import { endServerProcesses } from './server-processes.ts';
import type { ServerUser } from './server-user.ts';
import { mappedSegments, removeSharedMemory, type Segment } from './shared-memory.ts';
import { checkSettings, readBuildFacts } from './statistics.ts';

/** What a run asks of a Postgres server. */
export interface PostgresOptions extends ClientLibrary {
  readonly build: Build;
  readonly config: ServerConfig;
  readonly user: ServerUser | null;
  /** The run's folder: the server's log and note go there. */
  readonly runDirectory: string;
  /** Where the data should be; it is made. */
  readonly dataDirectory: string;
  readonly keepData: boolean;
  /** Data of a server that was shut down, to start from a copy of; else the database is new. */
  readonly source?: string | null;
  /** Loopback port to listen on; null: only the socket. */
  readonly listenPort: number | null;
  /** How the runner's own connections are called. */
  readonly applicationName: string;
  /** Told what a user should know, a line each. */
  readonly say: (text: string) => void;
  /** Ends a start early, and lets a stop wait for nothing. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a data directory, starts a server on it, makes the benchmark's database and checks that every
 * requested setting took. Whatever fails, or when it is ended early, nothing stays behind.
 */
export async function startPostgres(options: PostgresOptions): Promise<OwnServer> {
  const { user, say, runDirectory, keepData, signal } = options;
  if (user !== null) say(`running as root: the server runs as user ${user.name}`);
  const build = await reachableBuild(options.build, user, say);
  const socketDirectory = await makeSocketDirectory(user);
  let dataDirectory: string | null = null;
  const segments = new Map<string, Segment>();
  const remove = (): void => {
    if (dataDirectory !== null) removeSharedMemory(dataDirectory, [...segments.values()]);
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
    const noteSegments = (): void => {
      for (const one of mappedSegments(note.dataDirectory)) segments.set(one.file, one);
      writeServerNote(runDirectory, { ...note, sharedMemory: [...segments.values()] });
    };
    noteSegments();
    markSocketDirectory(socketDirectory, runDirectory);
    const cluster: ClusterOptions = {
      build,
      config: options.config,
      user,
      dataDirectory,
      socketDirectory,
      port: options.listenPort ?? randomInt(20_000, 60_000),
      listen: options.listenPort !== null,
      signal,
    };
    await makeData(cluster, options.source ?? null);
    server = await startServer(cluster, path.join(runDirectory, 'server.log'));
    return await openServer(options, cluster, server, { remove, noteSegments });
  } catch (error) {
    await server?.stop(true);
    // Of a copy or an initdb that was ended, what it had started.
    if (dataDirectory !== null) await endServerProcesses(dataDirectory, HURRIED_LADDER);
    remove();
    throw error;
  }
}

async function makeData(cluster: ClusterOptions, source: string | null): Promise<void> {
  if (source === null) return createCluster(cluster);
  await copyData(source, cluster.dataDirectory, cluster.signal);
  writeConfiguration(cluster);
}

/** What is to be done for a server beside running it. */
interface Upkeep {
  /** Takes away everything of it, when it has ended. */
  readonly remove: () => void;
  /** Notes what it has in shared memory now: more comes with time, for its statistics say. */
  readonly noteSegments: () => void;
}

async function openServer(
  options: PostgresOptions,
  cluster: ClusterOptions,
  server: ServerProcess,
  { remove, noteSegments }: Upkeep,
): Promise<OwnServer> {
  const { signal } = options;
  if (options.source == null) {
    await abortable(createDatabase(cluster, options.applicationName), signal);
  }
  const access = ownAccess(cluster);
  const admin = openAdmin(access, options.applicationName);
  const stop = async (hurry = false): Promise<void> => {
    await admin.end({ timeout: 1 }).catch(() => {});
    await server.stop(hurry);
    remove();
  };
  const handOver = async (directory: string): Promise<void> => {
    await admin.end({ timeout: 1 }).catch(() => {});
    await server.stop();
    checkShutDown(cluster.dataDirectory);
    fs.renameSync(cluster.dataDirectory, directory);
    remove();
  };
  try {
    const describing = describeServer(options, cluster, { admin, access, server });
    const described = await abortable(describing, signal);
    noteSegments();
    const state = (): ReturnType<OwnServer['state']> => {
      noteSegments();
      return described.state();
    };
    return { ...described, state, stop, handOver };
  } catch (error) {
    await admin.end({ timeout: 1 }).catch(() => {});
    throw error;
  }
}

async function describeServer(
  options: PostgresOptions,
  { build, dataDirectory }: ClusterOptions,
  { admin, access, server }: { admin: Admin; access: ServerAccess; server: ServerProcess },
): Promise<Omit<OwnServer, 'stop' | 'handOver'>> {
  const { config } = options;
  const settings = await checkSettings(admin, config.settings, config.name);
  await addBufferCache(admin);
  const walDirectory = fs.realpathSync(path.join(dataDirectory, 'pg_wal'));
  const facts = await readBuildFacts(admin);
  for (const [name, value] of describeBuild(build)) facts.set(name, value);
  return {
    ...connectedServer({ ...options, admin, access, settings }),
    version: build.version,
    pid: server.pid,
    dataDirectory,
    walDirectory,
    directories: [dataDirectory, walDirectory],
    host: localReader({ postmasterPid: server.pid, dataDirectory }),
    logPath: server.logPath,
    isExclusive: true,
    buildFacts: facts,
    exited: server.exited,
    createTables: (tables, table) => createTables(admin, tables, table),
    // Its end would have been noticed, and nobody starts it again.
    checkNotRestarted: async () => {},
  };
}

/** Where the build has it: it tells how many buffers are dirty, and does nothing by itself. */
async function addBufferCache(admin: Admin): Promise<void> {
  const [found] = await run(
    admin,
    `select from pg_available_extensions where name = 'pg_buffercache'`,
    'looking for pg_buffercache',
  );
  if (found === undefined) return;
  await run(admin, 'create extension if not exists pg_buffercache', 'adding pg_buffercache');
}

async function createDatabase(address: ServerAddress, applicationName: string): Promise<void> {
  const first = openAdmin(address, applicationName, { database: 'postgres', max: 1 });
  try {
    await run(first, `create database ${DATABASE}`, 'creating the database');
  } finally {
    await first.end({ timeout: 1 });
  }
}
