import net from 'node:net';
import { workerData } from 'node:worker_threads';
import type postgres from 'postgres';
import { type FatalError, fatalErrorIn } from './fatal-error.ts';
import type { Answer, JsValue, Request, ThreadData } from './postgres-js-messages.ts';

/**
 * The thread that postgres.js runs in: it performs one request at a time for a worker that waits with
 * its event loop standing still. Every failure becomes an answer, or the worker would wait for ever.
 */
const { port, answers, conninfo } = workerData as ThreadData;

const LOST = 'the connection to the server is lost';
const LOST_CODES = new Set(['CONNECTION_CLOSED', 'ECONNRESET', 'EPIPE']);
/** What the server sent last. */
let lastReceived: Buffer | null = null;
const statements: { readonly sql: string; readonly oids: readonly number[] }[] = [];

process.on('uncaughtException', (error) => reply(errorAnswer(error)));
const connected = connect();
await answer(async () => query((await connected).unsafe('select pg_backend_pid()')));
port.on('message', (request: Request) => answer(() => perform(request)));

async function answer(work: () => Promise<Answer>): Promise<void> {
  try {
    reply(await work());
  } catch (error) {
    reply(errorAnswer(error));
  }
}

function reply(message: Answer): void {
  port.postMessage(message);
  Atomics.add(answers, 0, 1);
  Atomics.notify(answers, 0);
}

async function perform(request: Request): Promise<Answer> {
  const sql = await connected;
  switch (request.type) {
    case 'text':
      return query(sql.unsafe(request.sql));
    case 'prepare':
      statements.push(request);
      await bind(sql, request, Array(request.oids.length).fill('')).describe();
      return { type: 'rows', rows: 0, first: null };
    case 'execute': {
      const statement = statements[request.statement] as (typeof statements)[number];
      return query(bind(sql, statement, request.values));
    }
    case 'close':
      await sql.end({ timeout: 1 });
      return { type: 'rows', rows: 0, first: null };
    default: {
      const never: never = request;
      return never;
    }
  }
}

/** postgres.js knows a prepared statement again by its text and the types of its parameters. */
function bind(
  sql: postgres.Sql,
  { sql: text, oids }: (typeof statements)[number],
  values: readonly JsValue[],
): postgres.PendingQuery<postgres.Row[]> {
  const parameters = values.map((value, i) => sql.typed(value, oids[i] as number) as never);
  return sql.unsafe(text, parameters, { prepare: true });
}

async function query(pending: postgres.PendingQuery<postgres.Row[]>): Promise<Answer> {
  const result = await pending.raw();
  const cell: Buffer | null = result[0]?.[0] ?? null;
  const first = cell === null ? null : Number(cell.toString());
  return { type: 'rows', rows: result.count, first };
}

/** Imported here and not above, so that a missing package is an answer too. */
async function connect(): Promise<postgres.Sql> {
  const { default: create } = await import('postgres');
  const text = { to: 1114, from: [1114], serialize: String, parse: String };
  const options = {
    database: conninfo.get('dbname') ?? '',
    username: conninfo.get('user') ?? '',
    password: conninfo.get('password') ?? '',
    connection: { application_name: conninfo.get('application_name') ?? '' },
    socket: once(openSocket),
    max: 1,
    ssl: false,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => {},
    // Its own way with timestamps is by Date, which has no microseconds.
    types: { timestamp: text },
  };
  return create(options) as unknown as postgres.Sql;
}

function openSocket(): Promise<net.Socket> {
  const host = conninfo.get('host') ?? '';
  const port = Number(conninfo.get('port'));
  const where = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const socket = net.connect({ ...where, noDelay: true });
  socket.on('data', (chunk) => {
    lastReceived = chunk;
  });
  return new Promise((resolve, reject) => {
    socket.on('connect', () => resolve(socket));
    socket.on('error', reject);
  });
}

/** postgres.js connects anew when a connection is lost; a benchmark must not. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done = false;
  return async () => {
    if (done) throw new Error(LOST);
    done = true;
    return await work();
  };
}

/** Of a lost connection postgres.js says just that; what the server said before it closed is better. */
function errorAnswer(error: unknown): Answer {
  const { name, code = '', message } = error as Error & { readonly code?: string };
  if (name === 'PostgresError') return { type: 'error', sqlstate: code, message };
  const fatal: FatalError | null = lastReceived === null ? null : fatalErrorIn(lastReceived);
  if (fatal !== null) return { type: 'error', ...fatal };
  const text = LOST_CODES.has(code) ? `${LOST} (${code})` : message;
  return { type: 'error', sqlstate: null, message: text };
}
