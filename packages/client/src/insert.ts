import {
  FDS,
  type InsertJob,
  insertTextCapacity,
  Recorder,
  type RowBatch,
  RowGenerator,
  rowsInStatement,
  writeInsertText,
} from '@ibench/core/worker';
import { nowNs, TimestampText } from './clock.ts';
import type { Connection, Prepared } from './driver/driver.ts';
import { execute, type LoopContext } from './execute.ts';
import { allocate } from './posix.ts';
import { QueueReceiver } from './queue.ts';

/** One statement's buffers: a batch is encoded into them, then sent, and sent again after a retry. */
interface InsertStatement {
  readonly encode: (batch: RowBatch) => void;
  readonly send: () => void;
}

/**
 * Inserts what the pacer hands out. The next statement is made while the server works on the current
 * one: its number is known, and so its rows. Two statements take turns, so that the one under way can
 * be sent again.
 */
export function prepareInserts(
  job: InsertJob,
  connection: Connection,
): (context: LoopContext) => void {
  const generator = new RowGenerator(job.seed, job.client, job.shape, job.rowsPerCommit);
  const create = job.prepared ? preparedInsert : textInsert;
  const turns = [create(job, connection, 'a'), create(job, connection, 'b')];
  const make = (k: number): void => {
    const rows = rowsInStatement(k, job.rowsPerCommit, job.rows);
    if (rows > 0) turns[k % 2]?.encode(generator.fill(job.batchBase + k, rows));
  };
  make(0);
  return (context) => insertLoop(context, turns, make);
}

function insertLoop(
  context: LoopContext,
  turns: readonly InsertStatement[],
  make: (k: number) => void,
): void {
  const { memory, startNs, deadlineNs } = context;
  const queue = new QueueReceiver(FDS.queue, FDS.acks);
  const recorder = new Recorder(memory.block, startNs);
  let generatedNs = 0;
  const makeNext = (): void => {
    const before = nowNs();
    make(queue.k + 1);
    generatedNs = nowNs() - before;
  };
  let idleSince = startNs;
  while (queue.take()) {
    const sentNs = nowNs();
    memory.add('waitQueueNs', sentNs - idleSince);
    if (memory.stopped || sentNs >= deadlineNs) return;
    const { rows, dueNs } = queue;
    const inserted = execute(context, (turns[queue.k % 2] as InsertStatement).send, makeNext);
    const endNs = nowNs();
    idleSince = endNs;
    if (inserted !== rows) throw new Error(`an insert of ${rows} rows inserted ${inserted}`);
    recorder.record(sentNs, endNs, rows);
    if (dueNs > 0) recorder.recordResponse(dueNs, endNs);
    memory.add('generateNs', generatedNs);
    memory.add('waitServerNs', endNs - sentNs - generatedNs);
    queue.finished();
  }
}

function textInsert(job: InsertJob, connection: Connection): InsertStatement {
  const prefix = new TextEncoder().encode(job.insertPrefix);
  const text = allocate(insertTextCapacity(prefix, job.rowsPerCommit, job.shape.data_length_max));
  const timestamp = new TimestampText();
  return {
    encode: (batch) => {
      writeInsertText(text.bytes, prefix, batch, timestamp.now());
    },
    send: () => connection.sendText(text),
  };
}

/** The same rows as a prepared statement with binary parameters; a short last batch has one of its own. */
function preparedInsert(job: InsertJob, connection: Connection, turn: string): InsertStatement {
  const full = prepareRows(job, connection, { rows: job.rowsPerCommit, turn });
  const rest = job.rows === null ? 0 : job.rows % job.rowsPerCommit;
  const last = rest > 0 ? prepareRows(job, connection, { rows: rest, turn }) : full;
  let next = full;
  return {
    encode: (batch) => {
      next = batch.rows === rest ? last : full;
      const { parameters } = next;
      const us = Math.floor((performance.timeOrigin + performance.now()) * 1000);
      for (let i = 0, p = 0; i < batch.rows; i++, p += 6) {
        parameters.setTimestamp(p, us);
        parameters.setInt32(p + 1, batch.cashRegister[i] as number);
        parameters.setInt32(p + 2, batch.customer[i] as number);
        parameters.setInt32(p + 3, batch.product[i] as number);
        parameters.setInt32(p + 4, batch.price[i] as number);
        const from = i === 0 ? 0 : (batch.dataEnd[i - 1] as number);
        parameters.setText(p + 5, batch.bytes, from, batch.dataEnd[i] as number);
      }
    },
    send: () => connection.sendPrepared(next),
  };
}

function prepareRows(
  job: InsertJob,
  connection: Connection,
  { rows, turn }: { rows: number; turn: string },
): Prepared {
  const row = (i: number): string =>
    `(${INSERT_TYPES.map((_, c) => `$${INSERT_TYPES.length * i + c + 1}`).join(',')})`;
  const sql = job.insertPrefix + Array.from({ length: rows }, (_, i) => row(i)).join(',');
  const types = Array.from({ length: rows }, () => INSERT_TYPES).flat();
  const capacity = rows * job.shape.data_length_max;
  return connection.prepare(`insert_${rows}_${turn}`, sql, types, capacity);
}

const INSERT_TYPES = ['timestamp', 'int4', 'int4', 'int4', 'int4', 'text'] as const;
