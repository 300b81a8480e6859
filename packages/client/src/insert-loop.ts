import {
  FDS,
  type InsertJob,
  type Recorder,
  RowGenerator,
  rowsInStatement,
} from '@ibench/core/worker';
import { nowNs } from './clock.ts';
import type { Connection } from './driver/driver.ts';
import { execute, isTooLate, type LoopContext, type Since } from './execute.ts';
import { copyInsert } from './insert/copy.ts';
import { pipelineInsert } from './insert/pipeline.ts';
import { preparedInsert } from './insert/prepared.ts';
import { singletonInsert } from './insert/singleton.ts';
import type { InsertShape, InsertStatement } from './insert/statement.ts';
import { unnestInsert } from './insert/unnest.ts';
import { valuesInsert } from './insert/values.ts';
import { QueueReceiver } from './queue.ts';

type CreateStatement = (job: InsertShape, connection: Connection, turn: string) => InsertStatement;

const METHODS: Readonly<Record<InsertJob['method'], CreateStatement>> = {
  values: valuesInsert,
  prepared: preparedInsert,
  unnest: unnestInsert,
  copy: copyInsert,
  singleton: singletonInsert,
  pipeline: pipelineInsert,
};

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
  const create = METHODS[job.method];
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
  const { memory, recorder, startNs } = context;
  const queue = new QueueReceiver(FDS.queue, FDS.acks);
  let generatedNs = 0;
  const makeNext = (): void => {
    const before = nowNs();
    make(queue.k + 1);
    generatedNs = nowNs() - before;
  };
  let idleSince = startNs;
  while (queue.take()) {
    const { dueNs } = queue;
    let sentNs = nowNs();
    memory.add('waitQueueNs', sentNs - idleSince);
    if (isTooLate(context, { sentNs, dueNs })) return;
    const statement = turns[queue.k % 2] as InsertStatement;
    let inserted = execute(context, statement, { sentNs, dueNs }, makeNext);
    let endNs = nowNs();
    memory.add('generateNs', generatedNs);
    memory.add('waitServerNs', endNs - sentNs - generatedNs);
    record(recorder, { sentNs, dueNs, endNs, rows: inserted });
    while (statement.advance()) {
      sentNs = endNs;
      if (isTooLate(context, { sentNs, dueNs })) return;
      const rows = execute(context, statement, { sentNs, dueNs });
      endNs = nowNs();
      memory.add('waitServerNs', endNs - sentNs);
      record(recorder, { sentNs, dueNs, endNs, rows });
      inserted += rows;
    }
    if (inserted !== queue.rows) {
      throw new Error(`an insert of ${queue.rows} rows inserted ${inserted}`);
    }
    idleSince = endNs;
    queue.finished();
  }
}

interface Answered extends Since {
  readonly endNs: number;
  readonly rows: number;
}

function record(recorder: Recorder, { sentNs, dueNs, endNs, rows }: Answered): void {
  recorder.record(sentNs, endNs, rows);
  if (dueNs > 0) recorder.recordResponse(dueNs, endNs);
}
