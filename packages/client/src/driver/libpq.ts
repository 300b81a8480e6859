import type { LibpqConnect } from '@ibench/core/worker';
import koffi from 'koffi';
import { allocate, type NativeMemory } from '../posix.ts';
import { type Connection, DatabaseError, type ParameterType, type Prepared } from './driver.ts';
import { LibpqParameters, PARAMETER_OIDS } from './libpq-parameters.ts';

const CONNECTION_OK = 0;
const COMMAND_OK = 1;
const TUPLES_OK = 2;
const COPY_IN = 4;
const PIPELINE_SYNC = 10;
const PIPELINE_ABORTED = 11;
const DIAG_SQLSTATE = 67; // 'C'

/**
 * The calls of libpq that are used. Handles travel as plain numbers: a pointer would be a BigInt,
 * one more allocation for each statement.
 */
function bind(path: string) {
  const lib = load(path);
  return {
    libVersion: lib.func('int PQlibVersion()'),
    connectdb: lib.func('uintptr_t PQconnectdb(const char *conninfo)'),
    status: lib.func('int PQstatus(uintptr_t conn)'),
    errorMessage: lib.func('const char *PQerrorMessage(uintptr_t conn)'),
    finish: lib.func('void PQfinish(uintptr_t conn)'),
    backendPid: lib.func('int PQbackendPID(uintptr_t conn)'),
    sendQuery: lib.func('int PQsendQuery(uintptr_t conn, uintptr_t text)'),
    prepare: lib.func(
      'uintptr_t PQprepare(uintptr_t conn, const char *name, const char *query, int n, const uint32_t *types)',
    ),
    sendQueryPrepared: lib.func(
      'int PQsendQueryPrepared(uintptr_t conn, uintptr_t name, int n, uintptr_t values, uintptr_t lengths, uintptr_t formats, int resultFormat)',
    ),
    getResult: lib.func('uintptr_t PQgetResult(uintptr_t conn)'),
    resultStatus: lib.func('int PQresultStatus(uintptr_t result)'),
    resultErrorField: lib.func('const char *PQresultErrorField(uintptr_t result, int field)'),
    resultErrorMessage: lib.func('const char *PQresultErrorMessage(uintptr_t result)'),
    ntuples: lib.func('int PQntuples(uintptr_t result)'),
    cmdTuples: lib.func('const char *PQcmdTuples(uintptr_t result)'),
    getvalue: lib.func('const char *PQgetvalue(uintptr_t result, int row, int column)'),
    getisnull: lib.func('int PQgetisnull(uintptr_t result, int row, int column)'),
    clear: lib.func('void PQclear(uintptr_t result)'),
    putCopyData: lib.func('int PQputCopyData(uintptr_t conn, uintptr_t data, int length)'),
    putCopyEnd: lib.func('int PQputCopyEnd(uintptr_t conn, const char *error)'),
    enterPipelineMode: lib.func('int PQenterPipelineMode(uintptr_t conn)'),
    exitPipelineMode: lib.func('int PQexitPipelineMode(uintptr_t conn)'),
    pipelineSync: lib.func('int PQpipelineSync(uintptr_t conn)'),
    consumeInput: lib.func('int PQconsumeInput(uintptr_t conn)'),
    isBusy: lib.func('int PQisBusy(uintptr_t conn)'),
  };
}

type Libpq = ReturnType<typeof bind>;

function load(path: string): ReturnType<typeof koffi.load> {
  try {
    return koffi.load(path, { deep: true });
  } catch (cause) {
    throw new Error(
      `libpq cannot be loaded from ${path}: ${(cause as Error).message}; name another with --libpq, or use --driver postgres.js`,
      { cause },
    );
  }
}

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

  constructor(pq: Libpq, conn: number, spin: boolean) {
    this.#pq = pq;
    this.#spin = spin;
    this.#conn = conn;
    this.backendPid = pq.backendPid(conn);
    const version: number = pq.libVersion();
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

  /** Frees a result and reads to the end of the command, so that the next can be sent. */
  #end(result: number): void {
    this.#pq.clear(result);
    for (;;) {
      const more: number = this.#pq.getResult(this.#conn);
      if (more === 0) return;
      this.#pq.clear(more);
    }
  }

  #fail(result: number): never {
    const error = this.#errorOf(result);
    this.#end(result);
    throw error;
  }

  #errorOf(result: number): DatabaseError {
    const sqlstate: string | null = this.#pq.resultErrorField(result, DIAG_SQLSTATE);
    return new DatabaseError(this.#pq.resultErrorMessage(result).trim(), sqlstate);
  }

  #lost(): DatabaseError {
    return new DatabaseError(this.#pq.errorMessage(this.#conn).trim(), null);
  }
}
