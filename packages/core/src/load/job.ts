import type { QueryShape } from '../plan.ts';
import type { Role } from '../step.ts';
import type { InsertMethod } from '../workload/dialect.ts';
import type { RowShape } from '../workload/rows.ts';
import type { Place } from './pin.ts';

/** File descriptors that a worker inherits, beside its standard input, output and error. */
export const FDS = { memory: 3, queue: 4, acks: 5, deleteQueue: 6, deleteAcks: 7 } as const;

/** What all workers of a step are told. The whole job is one JSON argument; a worker never asks. */
interface JobBase {
  readonly role: Role;
  readonly client: number;
  /** Which of the client's processes of this role, from 1. */
  readonly ordinal: number;
  /** The runner; the worker ends when it does. */
  readonly parentPid: number;
  /** CPUs that it and its backend are bound to; null: the kernel decides. */
  readonly place: Place | null;
  /** Offset and length of its block in the shared memory. */
  readonly blockOffset: number;
  /** Rows per second and client of a rate-controlled step; null: as fast as possible. */
  readonly targetRate: number | null;
  readonly rowsPerCommit: number;
  /** Rows that this client changes in the step; null: until the deadline. */
  readonly rows: number | null;
}

/** Where and how to connect. */
export type Connect = LibpqConnect | PostgresJsConnect;

export interface LibpqConnect {
  readonly driver: 'libpq';
  /** Path of the client library. */
  readonly library: string;
  /** libpq connection string, application_name included. */
  readonly conninfo: string;
  /** Poll for answers instead of sleeping. */
  readonly spin: boolean;
}

export interface PostgresJsConnect {
  readonly driver: 'postgres.js';
  /** The same string as libpq's, of the form `name='value' …`. */
  readonly conninfo: string;
}

export interface PaceJob extends JobBase {
  readonly role: 'pace';
  readonly deletes: boolean;
  readonly pacing: 'even' | 'burst';
}

export interface InsertJob extends JobBase {
  readonly role: 'insert';
  readonly connect: Connect;
  readonly method: InsertMethod;
  /** What the dialect says for the method: text up to the first row, or a whole statement. */
  readonly sql: string;
  readonly shape: RowShape;
  readonly seed: number;
  /** Number of the step's first batch; batch k of the step is `batchBase + k`. */
  readonly batchBase: number;
}

export interface DeleteJob extends JobBase {
  readonly role: 'delete';
  readonly connect: Connect;
  readonly prepared: boolean;
  readonly parts: readonly [string, string, string];
  readonly preparedSql: string;
  readonly minId: string;
  readonly resyncEvery: number;
}

/** A query cut at its parameters, see QueryText, and with placeholders. */
export interface JobQuery {
  readonly name: string;
  readonly preparedSql: string;
  readonly parts: readonly string[];
  readonly domain: number | null;
}

export interface QueryJob extends JobBase {
  readonly role: 'query';
  readonly connect: Connect;
  readonly prepared: boolean;
  readonly shape: QueryShape;
  readonly queries: readonly JobQuery[];
  readonly minId: string;
  readonly maxId: string;
  readonly maxEvery: number;
  readonly seed: number;
  /** Number of the step, so that each step draws other parameters. */
  readonly stream: number;
  /** Whether a deleter publishes its guess of the smallest id. */
  readonly deletes: boolean;
}

export type WorkerJob = PaceJob | InsertJob | DeleteJob | QueryJob;

/** The only word a worker gets after it has said that it is ready. Times: CLOCK_MONOTONIC, ns. */
export interface Go {
  readonly startNs: number;
  /** null: the step ends when its rows are done. */
  readonly deadlineNs: number | null;
}

/** What a worker says, one JSON object a line. */
export type WorkerMessage =
  | { readonly type: 'ready'; readonly backendPid: number | null; readonly library: string | null }
  | {
      readonly type: 'done';
      readonly finishedNs: number;
      readonly cpuUserS: number;
      readonly cpuSystemS: number;
    }
  | { readonly type: 'error'; readonly sqlstate: string | null; readonly message: string };
