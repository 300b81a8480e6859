import { InsertText, insertTextCapacity, type RowBatch } from '@ibench/core/worker';
import { TimestampText } from '../clock.ts';
import type { Connection } from '../driver/driver.ts';
import { allocate } from '../posix.ts';
import { RowBuffer } from './row-buffer.ts';
import type { InsertShape, InsertStatement } from './statement.ts';

/** `singleton`: each row of the batch is a statement, and so a transaction, of its own. */
export function singletonInsert(job: InsertShape, connection: Connection): InsertStatement {
  const prefix = new TextEncoder().encode(job.sql);
  const text = allocate(insertTextCapacity(prefix, 1, job.shape.data_length_max));
  const insert = new InsertText(text.bytes, prefix);
  const timestamp = new TimestampText();
  const buffer = new RowBuffer(job.rowsPerCommit, job.shape.data_length_max);
  const one = new SingleRow(job.shape.data_length_max);
  let row = 0;
  return {
    encode: (batch) => {
      buffer.copy(batch);
      row = 0;
    },
    send: () => {
      const length = insert.write(one.take(buffer.batch, row), timestamp.now());
      connection.sendText(text, length);
    },
    receive: () => connection.receive(),
    advance: () => ++row < buffer.batch.rows,
  };
}

/** A batch of one row, taken out of a larger one. */
class SingleRow {
  readonly #batch: RowBatch;

  constructor(dataLengthMax: number) {
    this.#batch = new RowBuffer(1, dataLengthMax).batch;
    this.#batch.rows = 1;
  }

  take(from: RowBatch, row: number): RowBatch {
    const one = this.#batch;
    one.cashRegister[0] = from.cashRegister[row] as number;
    one.customer[0] = from.customer[row] as number;
    one.product[0] = from.product[row] as number;
    one.price[0] = from.price[row] as number;
    const start = row === 0 ? 0 : (from.dataEnd[row - 1] as number);
    const end = from.dataEnd[row] as number;
    for (let i = start; i < end; i++) one.bytes[i - start] = from.bytes[i] as number;
    one.dataEnd[0] = end - start;
    return one;
  }
}
