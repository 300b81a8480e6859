import type { Connect, DoneWork, QueryText, ServerReading, TableOptions } from '@ibench/core';
import type { ServerState } from './postgres/server-state.ts';
import type { HostReader } from './reader/host-reader.ts';

/** A setting of the server with what was asked for, null where nothing was, and what it has. */
export interface Setting {
  readonly name: string;
  readonly setting: string;
  readonly unit: string | null;
  readonly source: string;
  readonly requested: string | null;
}

/** A client connection as the server shows it. */
export interface Backend {
  readonly pid: number;
  readonly applicationName: string;
}

/** An index as the server's catalog has it. */
export interface IndexState {
  readonly table: string;
  readonly name: string;
  /** Another index of the same name has another one. */
  readonly identity: string;
  readonly isPrimary: boolean;
  /** Is it kept up to date, and may queries use it? */
  readonly isUsable: boolean;
}

/** What the server shows of one of its processes at one moment. */
export interface Session {
  readonly pid: number;
  /** Empty where there is none, and for the server's own processes. */
  readonly applicationName: string;
  /** Is it one of those that `backends` tells? */
  readonly isClient: boolean;
  /** null: the server does not tell this user. */
  readonly backendType: string | null;
  /** Does it execute a statement? The server's own processes have no such state. */
  readonly isActive: boolean;
  /** null: it waits for nothing. */
  readonly waitType: string | null;
  readonly waitEvent: string | null;
}

/** What the server shows of itself at one moment. */
export interface Activity extends DoneWork {
  readonly sessions: readonly Session[];
}

/** A connection that watches others while they are measured. */
export interface Observer {
  /** null: the connection was lost. */
  backendPid(): number | null;
  activity(): Promise<Activity>;
  /** Milliseconds that the server takes to plan the deleter's statement, which is not executed. */
  planDelete(table: string, guess: number, rows: number): Promise<number>;
  close(): Promise<void>;
}

/** The plan that the server makes for a statement. */
export interface StatementPlan {
  readonly statement: string;
  readonly text: string;
}

/** A connection for work of the runner that is measured: building indexes, vacuum. */
export interface MaintenanceConnection {
  readonly backendPid: number;
  createIndexes(table: string, options: TableOptions): Promise<void>;
  vacuum(table: string): Promise<void>;
  checkpoint(): Promise<void>;
  /** Keeps its backend on a CPU, in calls as deep as those of queries. */
  compute(seconds: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * A running database server under test, whatever the engine. The runner talks to it through this alone;
 * the load generator's workers have connections of their own.
 */
export interface DatabaseServer {
  readonly version: string;
  /** The machine it runs on. */
  readonly host: HostReader;
  /** null: its log cannot be read from here. */
  readonly logPath: string | null;
  /** Directories of its data and WAL on this host; empty: elsewhere, or not known. */
  readonly directories: readonly string[];
  /** May nothing but the run use it? A foreign connection then fails a step; otherwise it is a warning. */
  readonly isExclusive: boolean;
  readonly settings: readonly Setting[];
  readonly buildFacts: ReadonlyMap<string, string>;
  /** Most client connections at once. */
  readonly maxConnections: number;
  /** Fulfilled with words on how the server ended, whenever that is. */
  readonly exited: Promise<string>;
  /** What a worker needs to connect, and what its environment must have for it: secrets. */
  connect(applicationName: string): Connect;
  readonly workerEnvironment: Readonly<Record<string, string>>;
  createTables(tables: readonly string[], options: TableOptions): Promise<void>;
  openMaintenance(
    applicationName: string,
    onNotice: (text: string) => void,
  ): Promise<MaintenanceConnection>;
  explain(queries: readonly QueryText[], table: string): Promise<StatementPlan[]>;
  countRows(tables: readonly string[]): Promise<number[]>;
  databaseBytes(): Promise<number>;
  /** Where the write-ahead log ends, in bytes: the difference of two is what was written. */
  walBytes(): Promise<number>;
  /**
   * What the server tells of itself and of the run's tables, with everything that was counted until now.
   *
   * @param ended backends that were told to end: it is waited until they have, and have reported
   */
  statistics(tables: readonly string[], ended: readonly number[]): Promise<ServerReading>;
  observe(applicationName: string): Promise<Observer>;
  backends(): Promise<Backend[]>;
  /** All indexes of these tables. */
  indexes(tables: readonly string[]): Promise<IndexState[]>;
  /** What must not change during a run. */
  state(): Promise<ServerState>;
  cancel(pids: readonly number[]): Promise<void>;
  /** Rejects when this is no longer the server that the run began with: it was started anew. */
  checkNotRestarted(): Promise<void>;
  /**
   * Leaves nothing of the run behind, in bounded time. A server of ours is shut down and its data removed
   * unless it is to be kept; of another the tables.
   *
   * @param hurry nobody needs the data: do not wait for checkpoints and stuck backends
   */
  stop(hurry?: boolean): Promise<void>;
}

/** A server that was started for the run. */
export interface OwnServer extends DatabaseServer {
  /** Its main process. */
  readonly pid: number;
  readonly dataDirectory: string;
  readonly walDirectory: string;
  readonly logPath: string;
  /** Shuts the server down in order, with a checkpoint, and moves its data to this path, beside where it was. */
  handOver(directory: string): Promise<void>;
}
