import {
  type JobQuery,
  POINT_IDS,
  type QueryJob,
  Random,
  writeBytes,
  writeNumber,
} from '@ibench/core/worker';
import { nowNs } from './clock.ts';
import type { Connection } from './driver/driver.ts';
import { zeroTerminated } from './driver/text.ts';
import { askBefore, execute, type LoopContext, type Statement } from './execute.ts';
import { allocate } from './posix.ts';

/** A query whose parameters can be bound and that can be sent. */
interface QueryStatement extends Statement {
  readonly bind: (index: number, value: number) => void;
}

/** Queries as fast as possible until the deadline: range queries at random, or point queries. */
export function prepareQueries(
  job: QueryJob,
  connection: Connection,
): (context: LoopContext) => void {
  const statements = job.queries.map((query) =>
    job.prepared ? preparedQuery(job, query, connection) : textQuery(query, connection),
  );
  const random = new Random();
  random.seed(job.seed, job.client * 1000 + job.ordinal, job.stream);
  if (job.shape === 'range') {
    return (context) => rangeLoop(context, statements, job.queries, random);
  }
  const ids = idRange(job, connection);
  return (context) =>
    pointLoop(job, context, { statement: statements[0] as QueryStatement, random, ids });
}

function rangeLoop(
  context: LoopContext,
  statements: readonly QueryStatement[],
  queries: readonly JobQuery[],
  random: Random,
): void {
  const domains = queries.map((query) => query.domain as number);
  queryLoop(context, () => {
    const which = random.below(statements.length);
    const statement = statements[which] as QueryStatement;
    statement.bind(0, random.below(domains[which] as number));
    return statement;
  });
}

interface PointTools {
  readonly statement: QueryStatement;
  readonly random: Random;
  readonly ids: IdRange;
}

function pointLoop(
  job: QueryJob,
  context: LoopContext,
  { statement, random, ids }: PointTools,
): void {
  let sinceRead = 0;
  const read = () => askBefore(context, 0, () => ids.read(context));
  let { smallest, largest } = read();
  const readAgain = (): boolean => {
    if (sinceRead++ !== job.maxEvery) return false;
    const before = nowNs();
    ({ smallest, largest } = read());
    sinceRead = 1;
    context.memory.addResync(nowNs() - before);
    return true;
  };
  const next = (): Statement => {
    const span = largest - smallest + 1;
    for (let i = 0; i < POINT_IDS; i++) statement.bind(i, smallest + random.belowLarge(span));
    return statement;
  };
  queryLoop(context, next, readAgain);
}

/**
 * The loop of all queries; `next` chooses a query and binds its parameters, `ask` asks the server before
 * that for what they depend on, where it is time to.
 */
function queryLoop(
  context: LoopContext,
  next: () => Statement,
  ask: () => boolean = () => false,
): void {
  const { memory, recorder, deadlineNs } = context;
  // One for all: no garbage for each query.
  const since = { sentNs: 0, dueNs: 0 };
  let idleNs = nowNs();
  while (!memory.stopped && idleNs < deadlineNs) {
    if (ask()) idleNs = nowNs();
    const statement = next();
    const sentNs = nowNs();
    // The ids for it may have been read until now.
    if (sentNs >= deadlineNs) return;
    since.sentNs = sentNs;
    const rows = execute(context, statement, since);
    const endNs = nowNs();
    memory.add('generateNs', sentNs - idleNs);
    memory.add('waitServerNs', endNs - sentNs);
    idleNs = endNs;
    recorder.record(sentNs, endNs, rows);
  }
}

interface IdRange {
  /** The deleter's guess, or the smallest id where nothing is deleted, and the largest id. */
  read(context: LoopContext): { smallest: number; largest: number };
}

function idRange(job: QueryJob, connection: Connection): IdRange {
  const maxText = zeroTerminated(job.maxId);
  const number = (text: ReturnType<typeof zeroTerminated>) => {
    connection.sendText(text, text.bytes.length - 1);
    return connection.receiveNumber() ?? 0;
  };
  const smallestAtStart = number(zeroTerminated(job.minId));
  return {
    read: ({ memory }) => ({
      smallest: Math.max(smallestAtStart, job.deletes ? memory.guess(job.client) : 0),
      largest: number(maxText),
    }),
  };
}

function preparedQuery(job: QueryJob, query: JobQuery, connection: Connection): QueryStatement {
  const type = job.shape === 'range' ? 'int4' : 'int8';
  const prepared = connection.prepare(
    query.name,
    query.preparedSql,
    Array(query.parts.length - 1).fill(type),
  );
  const { parameters } = prepared;
  return {
    bind:
      job.shape === 'range'
        ? (index, value) => parameters.setInt32(index, value)
        : (index, value) => parameters.setInt64(index, value),
    send: () => connection.sendPrepared(prepared),
    receive: () => connection.receive(),
  };
}

/** Longest decimal of an id: 2^53 has 16 digits. */
const NUMBER_BYTES = 16;

function textQuery(query: JobQuery, connection: Connection): QueryStatement {
  const parts = query.parts.map((part) => new TextEncoder().encode(part));
  const length = parts.reduce((sum, part) => sum + part.length + NUMBER_BYTES, 1);
  const text = allocate(length);
  const values = new Float64Array(parts.length - 1);
  return {
    bind: (index, value) => {
      values[index] = value;
    },
    send: () => {
      let at = writeBytes(text.bytes, 0, parts[0] as Uint8Array);
      for (let i = 0; i < values.length; i++) {
        at = writeNumber(text.bytes, at, values[i] as number);
        at = writeBytes(text.bytes, at, parts[i + 1] as Uint8Array);
      }
      text.bytes[at] = 0;
      connection.sendText(text, at);
    },
    receive: () => connection.receive(),
  };
}
