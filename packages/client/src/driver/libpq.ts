import type { LibpqConnect } from '@ibench/core/worker';
import { allocate, type NativeMemory } from '../posix.ts';
import { type Connection, DatabaseError, type ParameterType, type Prepared } from './driver.ts';
import { bind, type Libpq, onNotice } from './libpq-calls.ts';
import { LibpqParameters, PARAMETER_OIDS } from './libpq-parameters.ts';

const CONNECTION_OK = 0;
const COMMAND_OK = 1;
const TUPLES_OK = 2;
const COPY_IN = 4;
const FATAL_ERROR = 7;
const PIPELINE_SYNC = 10;
const PIPELINE_ABORTED = 11;
const DIAG_SQLSTATE = 67; // 'C'
const DIAG_SEVERITY = 86; // 'V', in English

/**
 * Connects through libpq, blocking.
 *
 * @throws DatabaseError with libpq's words
 */
export function connectLibpq({ library, conninfo, spin }: LibpqConnect): Connection {
  const pq = bind(library);
  const conn: number = pq.connectdb(conninfo);
  if (pq.status(conn) !== CONNECTION_OK) {
    const message: string = pq.errorMessage(conn).trim();
    pq.finish(conn);
    throw new DatabaseError(message, null);
  }
  return new LibpqConnection(pq, conn, spin);
}

interface LibpqPrepared extends Prepared {
  readonly name: NativeMemory;
  readonly parameters: LibpqParameters;
}

class LibpqConnection implements Connection {
  readonly backendPid: number;
  readonly library: string;
  readonly #pq: Libpq;
  readonly #conn: number;
  readonly #spin: boolean;
  /** Why the server closes the connection, where it said so between two statements. */
  #lastWords: DatabaseError | null = null;

  constructor(pq: Libpq, conn: number, spin: boolean) {
    this.#pq = pq;
    this.#spin = spin;
    this.#conn = conn;
    this.backendPid = pq.backendPid(conn);
    const version: number = pq.libVersion();
    onNotice(pq, conn, (notice) => this.#keep(notice));
    this.library = `libpq ${Math.floor(version / 10_000)}.${version % 10_000}`;
  }

  sendText(text: NativeMemory, _length: number): void {
    if (this.#pq.sendQuery(this.#conn, text.address) !== 1) throw this.#lost();
  }

  sendPrepared(statement: Prepared): void {
    const { name, parameters } = statement as LibpqPrepared;
    const sent: number = this.#pq.sendQueryPrepared(
      this.#conn,
      name.address,
      parameters.count,
      parameters.values.address,
      parameters.lengths.address,
      parameters.formats.address,
      0,
    );
    if (sent !== 1) throw this.#lost();
  }

  receive(): number {
    const result = this.#firstResult();
    const status: number = this.#pq.resultStatus(result);
    let rows = 0;
    if (status === TUPLES_OK) rows = this.#pq.ntuples(result);
    else if (status === COMMAND_OK) rows = Number(this.#pq.cmdTuples(result));
    else this.#fail(result);
    this.#end(result);
    return rows;
  }

  receiveNumber(): number | null {
    const result = this.#firstResult();
    if (this.#pq.resultStatus(result) !== TUPLES_OK) this.#fail(result);
    const isNull = this.#pq.ntuples(result) === 0 || this.#pq.getisnull(result, 0, 0) === 1;
    const value = isNull ? null : Number(this.#pq.getvalue(result, 0, 0));
    this.#end(result);
    return value;
  }

  prepare(
    name: string,
    sql: string,
    types: readonly ParameterType[],
    textCapacity = 0,
  ): LibpqPrepared {
    const oids = Uint32Array.from(types, (type) => PARAMETER_OIDS[type]);
    const result: number = this.#pq.prepare(this.#conn, name, sql, types.length, oids);
    if (result === 0) throw this.#lost();
    if (this.#pq.resultStatus(result) !== COMMAND_OK) this.#fail(result);
    this.#pq.clear(result);
    const bytes = Buffer.from(`${name}\0`);
    const memory = allocate(bytes.length);
    memory.bytes.set(bytes);
    return { name: memory, parameters: new LibpqParameters(types, textCapacity) };
  }

  sendCopy(data: NativeMemory, length: number): void {
    const pq = this.#pq;
    const result = this.#firstResult();
    if (pq.resultStatus(result) !== COPY_IN) this.#fail(result);
    pq.clear(result);
    if (pq.putCopyData(this.#conn, data.address, length) !== 1) throw this.#lost();
    if (pq.putCopyEnd(this.#conn, null) !== 1) throw this.#lost();
  }

  beginPipeline(): void {
    if (this.#pq.enterPipelineMode(this.#conn) !== 1) throw this.#lost();
  }

  syncPipeline(): void {
    if (this.#pq.pipelineSync(this.#conn) !== 1) throw this.#lost();
  }

  /** Results come statement by statement with an empty one between; the sync's is the last. */
  receivePipeline(): number {
    const pq = this.#pq;
    let rows = 0;
    let error: DatabaseError | null = null;
    for (let empty = 0; ; ) {
      const result: number = pq.getResult(this.#conn);
      if (result === 0) {
        if (++empty > 1) throw this.#lost();
        continue;
      }
      empty = 0;
      const status: number = pq.resultStatus(result);
      if (status === COMMAND_OK) rows += Number(pq.cmdTuples(result));
      else if (status !== PIPELINE_SYNC && status !== PIPELINE_ABORTED)
        error ??= this.#errorOf(result);
      pq.clear(result);
      if (status === PIPELINE_SYNC) break;
    }
    if (pq.exitPipelineMode(this.#conn) !== 1) throw this.#lost();
    if (error !== null) throw error;
    return rows;
  }

  close(): void {
    this.#pq.finish(this.#conn);
  }

  #firstResult(): number {
    if (this.#spin) this.#poll();
    const result: number = this.#pq.getResult(this.#conn);
    if (result === 0) throw this.#lost();
    return result;
  }

  /** Asks again and again rather than sleep: waking an idle core is slow on some hosts. */
  #poll(): void {
    while (this.#pq.isBusy(this.#conn) === 1) {
      if (this.#pq.consumeInput(this.#conn) !== 1) throw this.#lost();
    }
  }

  /**
   * Frees a result and reads to the end of the command, so that the next can be sent.
   *
   * @throws DatabaseError for an error that comes after the result: the server may end the connection there
   */
  #end(result: number): void {
    this.#pq.clear(result);
    let error: DatabaseError | null = null;
    for (;;) {
      const more: number = this.#pq.getResult(this.#conn);
      if (more === 0) break;
      if (this.#pq.resultStatus(more) === FATAL_ERROR) error ??= this.#errorOf(more);
      this.#pq.clear(more);
    }
    if (error !== null) throw error;
  }

  #fail(result: number): never {
    const error = this.#errorOf(result);
    try {
      this.#end(result);
    } catch {
      // The first error is the cause.
    }
    throw error;
  }

  /** A result without SQLSTATE is libpq's own: the connection is lost. */
  #errorOf(result: number): DatabaseError {
    const sqlstate: string | null = this.#pq.resultErrorField(result, DIAG_SQLSTATE);
    if (sqlstate === null && this.#lastWords !== null) return this.#lastWords;
    return new DatabaseError(this.#pq.resultErrorMessage(result).trim(), sqlstate);
  }

  /** libpq takes for a notice what the server says between two statements, also why it ends the connection. */
  #keep(notice: number): void {
    const severity: string | null = this.#pq.resultErrorField(notice, DIAG_SEVERITY);
    const error = this.#errorOf(notice);
    if (severity === 'FATAL' || severity === 'PANIC') this.#lastWords ??= error;
    else process.stderr.write(`${error.message}\n`);
  }

  #lost(): DatabaseError {
    return this.#lastWords ?? new DatabaseError(this.#pq.errorMessage(this.#conn).trim(), null);
  }
}
