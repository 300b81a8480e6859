import type { Connection, Prepared } from '../driver/driver.ts';
import { bindRow, ROW_TYPES } from './row-buffer.ts';
import {
  type InsertShape,
  type InsertStatement,
  oneStatement,
  unixMicroseconds,
} from './statement.ts';

/** `prepared`: one multi-row insert, parsed once, with binary parameters; a short last batch has its own. */
export function preparedInsert(
  job: InsertShape,
  connection: Connection,
  turn: string,
): InsertStatement {
  const rest = job.rows === null ? 0 : job.rows % job.rowsPerCommit;
  const full = prepareRows(job, connection, { rows: job.rowsPerCommit, turn });
  const last = rest > 0 ? prepareRows(job, connection, { rows: rest, turn }) : full;
  let next = full;
  return {
    encode: (batch) => {
      next = batch.rows === rest ? last : full;
      const us = unixMicroseconds();
      for (let row = 0; row < batch.rows; row++) {
        const first = row * ROW_TYPES.length;
        next.parameters.setTimestamp(first, us);
        bindRow(next.parameters, first, batch, row);
      }
    },
    send: () => connection.sendPrepared(next),
    receive: () => connection.receive(),
    advance: oneStatement,
  };
}

/** Prepares an insert of so many rows: `($1,…,$6),($7,…)`. */
export function prepareRows(
  job: InsertShape,
  connection: Connection,
  { rows, turn }: { readonly rows: number; readonly turn: string },
): Prepared {
  const width = ROW_TYPES.length;
  const row = (i: number): string =>
    `(${ROW_TYPES.map((_, c) => `$${width * i + c + 1}`).join(',')})`;
  const sql = job.sql + Array.from({ length: rows }, (_, i) => row(i)).join(',');
  const types = Array.from({ length: rows }, () => ROW_TYPES).flat();
  return connection.prepare(`insert_${rows}_${turn}`, sql, types, rows * job.shape.data_length_max);
}
