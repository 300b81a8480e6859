import type { NativeMemory } from '../posix.ts';

/** An error reported by the database. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError';
  /** Five characters; null when the connection was lost without one. */
  readonly sqlstate: string | null;

  constructor(message: string, sqlstate: string | null) {
    super(message);
    this.sqlstate = sqlstate;
  }
}

/** Statement parameters, made once and bound again for every execution. */
export interface Parameters {
  setInt32(index: number, value: number): void;
  /** A whole number, 0 ≤ n < 2^53, as a 64-bit integer. */
  setInt64(index: number, value: number): void;
  /** Microseconds since 1970 in UTC as a timestamp without time zone. */
  setTimestamp(index: number, unixUs: number): void;
  setText(index: number, bytes: Uint8Array, from: number, to: number): void;
  /** The first `length` bytes of some memory, in the type's binary format; read when the statement is sent. */
  setMemory(index: number, memory: NativeMemory, length: number): void;
}

/** A statement that the server has prepared. */
export interface Prepared {
  readonly parameters: Parameters;
}

/** Types that a parameter can have. */
export type ParameterType =
  | 'int4'
  | 'int8'
  | 'timestamp'
  | 'text'
  | 'int4[]'
  | 'timestamp[]'
  | 'text[]';

/** Microseconds from 1970-01-01 to 2000-01-01, where PostgreSQL's timestamps begin. */
export const POSTGRES_EPOCH_US = 946_684_800_000_000;

/**
 * One connection to the database under test, driven synchronously. Statements are sent, then awaited:
 * what happens between is the caller's (it makes the next statement). All calls throw DatabaseError.
 */
export interface Connection {
  readonly backendPid: number;
  /** Name and version of the client library, for the record: `libpq 18.4`. */
  readonly library: string;
  /** Sends text of `length` bytes; a zero follows them. */
  sendText(text: NativeMemory, length: number): void;
  sendPrepared(statement: Prepared): void;
  /** Waits for the answer to what was sent: rows changed or returned. */
  receive(): number;
  /** Waits for the answer to what was sent: a single whole number, or null. */
  receiveNumber(): number | null;
  /** Waits until the server asks for the data of a COPY that was sent, and sends it. */
  sendCopy(data: NativeMemory, length: number): void;
  /** From here to the sync, prepared statements are queued up to make one round trip and one transaction. */
  beginPipeline(): void;
  syncPipeline(): void;
  /** Waits for the answers of a pipeline: rows changed by all its statements. */
  receivePipeline(): number;
  /** @param capacity bytes of text that all parameters together can need */
  prepare(name: string, sql: string, types: readonly ParameterType[], capacity?: number): Prepared;
  close(): void;
}
