import type { Connect, QueryText, TableOptions } from '@ibench/core';
import type { HostReader } from './reader/host-reader.ts';

/** A setting of the server with what was asked for, null where nothing was, and what it has. */
export interface Setting {
  readonly name: string;
  readonly setting: string;
  readonly unit: string | null;
  readonly source: string;
  readonly requested: string | null;
}

/** Counters of the write-ahead log since the server's start; null where this version has none. */
export interface WalCounters {
  readonly bytes: number;
  readonly fullPageImages: number | null;
}

/** A client connection as the server shows it. */
export interface Backend {
  readonly pid: number;
  readonly applicationName: string;
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
  wal(): Promise<WalCounters>;
  backends(): Promise<Backend[]>;
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
