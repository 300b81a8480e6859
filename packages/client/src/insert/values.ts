import { InsertText, insertTextCapacity } from '@ibench/core/worker';
import { TimestampText } from '../clock.ts';
import type { Connection } from '../driver/driver.ts';
import { allocate } from '../posix.ts';
import { type InsertShape, type InsertStatement, oneStatement } from './statement.ts';

/** `values`, the published method: one multi-row insert as text, parsed by the server every time. */
export function valuesInsert(job: InsertShape, connection: Connection): InsertStatement {
  const prefix = new TextEncoder().encode(job.sql);
  const text = allocate(insertTextCapacity(prefix, job.rowsPerCommit, job.shape.data_length_max));
  const insert = new InsertText(text.bytes, prefix);
  const timestamp = new TimestampText();
  let length = 0;
  return {
    encode: (batch) => {
      length = insert.write(batch, timestamp.now());
    },
    send: () => connection.sendText(text, length),
    receive: () => connection.receive(),
    advance: oneStatement,
  };
}
