import type { InsertJob, RowBatch } from '@ibench/core/worker';
import type { Statement } from '../execute.ts';

/** How one batch of rows goes to the server. Two of them take turns, so that one can be made while the other runs. */
export interface InsertStatement extends Statement {
  /** Makes the statement for a batch; the batch's arrays are not looked at again. */
  readonly encode: (batch: RowBatch) => void;
  /** Goes on to the next statement of the same batch; false: there is none (all methods but `singleton`). */
  readonly advance: () => boolean;
}

/** A batch is one statement. */
export function oneStatement(): boolean {
  return false;
}

/** What an encoder needs of the job. */
export type InsertShape = Pick<InsertJob, 'sql' | 'rowsPerCommit' | 'rows' | 'shape'>;

/** Microseconds since 1970 in UTC now, whole. */
export function unixMicroseconds(): number {
  return Math.floor((performance.timeOrigin + performance.now()) * 1000);
}
