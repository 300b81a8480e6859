/** What a worker process needs of the domain, and nothing that makes it start slower. */
export {
  BLOCK_BYTES,
  type BlockView,
  CONTROL,
  COUNTERS,
  type Counter,
  viewBlock,
} from './load/block.ts';
export type {
  Connect,
  DeleteJob,
  Go,
  InsertJob,
  JobQuery,
  LibpqConnect,
  PaceJob,
  PostgresJsConnect,
  QueryJob,
  WorkerJob,
  WorkerMessage,
} from './load/job.ts';
export { FDS } from './load/job.ts';
export { QUEUE_STATEMENTS } from './load/queue-limit.ts';
export { dueNs, RECORD, RECORD_BYTES } from './load/queue-record.ts';
export { Recorder } from './load/recorder.ts';
export { rowsInStatement } from './rows-in-statement.ts';
export { writeBytes, writeNumber } from './workload/bytes.ts';
export { POINT_IDS } from './workload/dialect.ts';
export { InsertText, insertTextCapacity } from './workload/insert-text.ts';
export { Random } from './workload/random.ts';
export { type RowBatch, RowGenerator } from './workload/rows.ts';
