import { type DeleteJob, FDS, writeBytes, writeNumber } from '@ibench/core/worker';
import { nowNs } from './clock.ts';
import type { Connection } from './driver/driver.ts';
import { zeroTerminated } from './driver/text.ts';
import { askBefore, execute, isTooLate, type LoopContext, type Statement } from './execute.ts';
import { allocate } from './posix.ts';
import { QueueReceiver } from './queue.ts';

/** A delete of `rows` rows from the id `guess` on. */
interface DeleteStatement extends Statement {
  readonly encode: (guess: number, rows: number) => void;
}

/**
 * Deletes the oldest rows, as many as the pacer says. The guess of the smallest id advances by what was
 * deleted and is re-read now and then; gaps in the ids only make the true minimum larger (SPEC 3.3).
 */
export function prepareDeletes(
  job: DeleteJob,
  connection: Connection,
): (context: LoopContext) => void {
  const statement = job.prepared ? preparedDelete(job, connection) : textDelete(job, connection);
  const minText = zeroTerminated(job.minId);
  const readMin = () => {
    connection.sendText(minText, minText.bytes.length - 1);
    return connection.receiveNumber();
  };
  const first = readMin() ?? 0;
  return (context) => deleteLoop(job, context, { statement, readMin, first });
}

interface DeleteTools {
  readonly statement: DeleteStatement;
  readonly readMin: () => number | null;
  /** Smallest id when the step began. */
  readonly first: number;
}

function deleteLoop(job: DeleteJob, context: LoopContext, tools: DeleteTools): void {
  const { memory, recorder, startNs } = context;
  const { statement, readMin } = tools;
  const queue = new QueueReceiver(FDS.queue, FDS.acks);
  let guess = tools.first;
  let sinceResync = 0;
  memory.publishGuess(job.client, guess);
  let idleSince = startNs;
  while (queue.take()) {
    const { rows, dueNs } = queue;
    let sentNs = nowNs();
    memory.add('waitQueueNs', sentNs - idleSince);
    if (isTooLate(context, { sentNs, dueNs })) return;
    if (sinceResync++ === job.resyncEvery) {
      guess = askBefore(context, dueNs, readMin) ?? guess;
      sinceResync = 1;
      const afterNs = nowNs();
      memory.addResync(afterNs - sentNs);
      sentNs = afterNs;
      if (isTooLate(context, { sentNs, dueNs })) return;
    }
    statement.encode(guess, rows);
    const deleted = execute(context, statement, { sentNs, dueNs });
    const endNs = nowNs();
    idleSince = endNs;
    memory.add('waitServerNs', endNs - sentNs);
    if (deleted !== rows) throw new Error(wrongCount(rows, deleted, guess));
    recorder.record(sentNs, endNs, rows);
    if (dueNs > 0) recorder.recordResponse(dueNs, endNs);
    guess += rows;
    memory.publishGuess(job.client, guess);
    queue.finished();
  }
}

function wrongCount(rows: number, deleted: number, guess: number): string {
  return `a delete of ${rows} rows from transactionid ${guess} on deleted ${deleted}: something else changes the table, or the guess was above the smallest id`;
}

function textDelete(job: DeleteJob, connection: Connection): DeleteStatement {
  const parts = job.parts.map((part) => new TextEncoder().encode(part));
  const [before, between, after] = parts as [Uint8Array, Uint8Array, Uint8Array];
  const text = allocate(before.length + between.length + after.length + 2 * 16 + 1);
  let length = 0;
  return {
    encode: (guess, rows) => {
      let at = writeBytes(text.bytes, 0, before);
      at = writeNumber(text.bytes, at, guess);
      at = writeBytes(text.bytes, at, between);
      at = writeNumber(text.bytes, at, rows);
      at = writeBytes(text.bytes, at, after);
      text.bytes[at] = 0;
      length = at;
    },
    send: () => connection.sendText(text, length),
    receive: () => connection.receive(),
  };
}

function preparedDelete(job: DeleteJob, connection: Connection): DeleteStatement {
  const prepared = connection.prepare('delete_rows', job.preparedSql, ['int8', 'int8']);
  return {
    encode: (guess, rows) => {
      prepared.parameters.setInt64(0, guess);
      prepared.parameters.setInt64(1, rows);
    },
    send: () => connection.sendPrepared(prepared),
    receive: () => connection.receive(),
  };
}
