import fs from 'node:fs';
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';
import type { PostgresJsConnect } from '@ibench/core/worker';
import type { NativeMemory } from '../posix.ts';
import { parseConninfo } from './conninfo.ts';
import { type Connection, DatabaseError, type ParameterType, type Prepared } from './driver.ts';
import { JsParameters, textOf } from './js-parameters.ts';
import { PARAMETER_OIDS } from './libpq-parameters.ts';
import type { Answer, Request, ThreadData } from './postgres-js-messages.ts';

/**
 * Connects through postgres.js, which runs in a thread of its own since it cannot block: the worker
 * hands a statement over and sleeps until the thread has the answer.
 *
 * @throws DatabaseError with the server's words, Error when the package or what is asked of it is not there
 */
export function connectPostgresJs({ conninfo }: PostgresJsConnect): Connection {
  const parts = parseConninfo(conninfo);
  const sslmode = parts.get('sslmode') ?? 'disable';
  if (!['disable', 'allow', 'prefer'].includes(sslmode)) {
    throw new Error(`--driver postgres.js connects without TLS, the server wants ${sslmode}`);
  }
  const version = installedVersion();
  return new PostgresJsConnection(new DriverThread(parts), `postgres.js ${version}`);
}

function installedVersion(): string {
  const file = new URL('../package.json', import.meta.resolve('postgres'));
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version;
}

interface JsPrepared extends Prepared {
  readonly number: number;
  readonly parameters: JsParameters;
}

class PostgresJsConnection implements Connection {
  readonly backendPid: number;
  readonly library: string;
  readonly #thread: DriverThread;
  #prepared = 0;

  constructor(thread: DriverThread, library: string) {
    this.#thread = thread;
    this.library = library;
    this.backendPid = thread.answer().first as number;
  }

  sendText(text: NativeMemory, length: number): void {
    this.#thread.ask({ type: 'text', sql: textOf(text.bytes, 0, length) });
  }

  sendPrepared(statement: Prepared): void {
    const { number, parameters } = statement as JsPrepared;
    this.#thread.ask({ type: 'execute', statement: number, values: parameters.values() });
  }

  receive(): number {
    return this.#thread.answer().rows;
  }

  receiveNumber(): number | null {
    return this.#thread.answer().first;
  }

  prepare(_name: string, sql: string, types: readonly ParameterType[]): JsPrepared {
    this.#thread.ask({ type: 'prepare', sql, oids: types.map((type) => PARAMETER_OIDS[type]) });
    this.#thread.answer();
    return { number: this.#prepared++, parameters: new JsParameters(types.length) };
  }

  sendCopy(): void {
    throw new Error(REFUSED);
  }

  beginPipeline(): void {
    throw new Error(REFUSED);
  }

  syncPipeline(): void {
    throw new Error(REFUSED);
  }

  receivePipeline(): number {
    throw new Error(REFUSED);
  }

  close(): void {
    this.#thread.ask({ type: 'close' });
    this.#thread.answer();
  }
}

/** The runner refuses these methods before anything starts. */
const REFUSED = 'postgres.js has neither COPY with a row count nor a pipeline of one transaction';

/** The thread as seen by the worker that waits for it. It never keeps the process alive. */
class DriverThread {
  readonly #port: MessagePort;
  readonly #answers: Int32Array = new Int32Array(new SharedArrayBuffer(4));
  #taken = 0;

  constructor(conninfo: ReadonlyMap<string, string>) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const data: ThreadData = { port: port2, answers: this.#answers, conninfo };
    new Worker(new URL('./postgres-js-thread.js', import.meta.url), {
      execArgv: [],
      workerData: data,
      transferList: [port2],
    }).unref();
  }

  ask(request: Request): void {
    this.#port.postMessage(request);
  }

  /** Sleeps until the next answer is there. */
  answer(): Extract<Answer, { type: 'rows' }> {
    while (Atomics.load(this.#answers, 0) === this.#taken) {
      Atomics.wait(this.#answers, 0, this.#taken);
    }
    this.#taken = (this.#taken + 1) | 0;
    const answer = receiveMessageOnPort(this.#port)?.message as Answer;
    if (answer.type === 'error') throw new DatabaseError(answer.message, answer.sqlstate);
    return answer;
  }
}
