import type { Connection } from '../driver/driver.ts';
import { prepareRows } from './prepared.ts';
import { bindRow, RowBuffer } from './row-buffer.ts';
import { type InsertShape, type InsertStatement, oneStatement } from './statement.ts';

/**
 * `pipeline`: the rows of a batch as single-row prepared statements in one round trip, which is one
 * transaction (libpq's pipeline mode; the server commits at the sync).
 */
export function pipelineInsert(
  job: InsertShape,
  connection: Connection,
  turn: string,
): InsertStatement {
  const prepared = prepareRows(job, connection, { rows: 1, turn });
  const buffer = new RowBuffer(job.rowsPerCommit, job.shape.data_length_max);
  return {
    encode: (batch) => buffer.copy(batch),
    send: () => {
      const { batch, us } = buffer;
      connection.beginPipeline();
      for (let row = 0; row < batch.rows; row++) {
        prepared.parameters.setTimestamp(0, us);
        bindRow(prepared.parameters, 0, batch, row);
        connection.sendPrepared(prepared);
      }
      connection.syncPipeline();
    },
    receive: () => connection.receivePipeline(),
    advance: oneStatement,
  };
}
