import type { RowBatch } from '@ibench/core/worker';
import { type Connection, POSTGRES_EPOCH_US } from '../driver/driver.ts';
import { allocate, type NativeMemory } from '../posix.ts';
import {
  type InsertShape,
  type InsertStatement,
  oneStatement,
  unixMicroseconds,
} from './statement.ts';

const TYPES = ['timestamp[]', 'int4[]', 'int4[]', 'int4[]', 'int4[]', 'text[]'] as const;

/** Object ids of the elements' types in PostgreSQL's catalogue. */
const ELEMENT = { timestamp: 1114, int4: 23, text: 25 } as const;

/** Header of a one-dimensional array in PostgreSQL's binary format. */
const HEADER_BYTES = 20;

/** `unnest`: one prepared insert with an array for each column, in binary. */
export function unnestInsert(
  job: InsertShape,
  connection: Connection,
  turn: string,
): InsertStatement {
  const prepared = connection.prepare(`unnest_${turn}`, job.sql, TYPES);
  const rows = job.rowsPerCommit;
  const arrays = TYPES.map((type) => {
    const element = type === 'text[]' ? 4 + job.shape.data_length_max : type === 'int4[]' ? 8 : 12;
    return allocate(HEADER_BYTES + rows * element);
  });
  const set = (i: number, length: number): void =>
    prepared.parameters.setMemory(i, arrays[i] as NativeMemory, length);
  return {
    encode: (batch) => {
      set(0, writeTimestamps(arrays[0] as NativeMemory, batch.rows, unixMicroseconds()));
      set(1, writeInts(arrays[1] as NativeMemory, batch.cashRegister, batch.rows));
      set(2, writeInts(arrays[2] as NativeMemory, batch.customer, batch.rows));
      set(3, writeInts(arrays[3] as NativeMemory, batch.product, batch.rows));
      set(4, writeInts(arrays[4] as NativeMemory, batch.price, batch.rows));
      set(5, writeTexts(arrays[5] as NativeMemory, batch));
    },
    send: () => connection.sendPrepared(prepared),
    receive: () => connection.receive(),
    advance: oneStatement,
  };
}

/** Dimensions, no nulls, element type, length, lower bound 1. */
function writeHeader({ view }: NativeMemory, element: number, length: number): void {
  view.setInt32(0, 1);
  view.setInt32(4, 0);
  view.setInt32(8, element);
  view.setInt32(12, length);
  view.setInt32(16, 1);
}

function writeTimestamps(memory: NativeMemory, rows: number, unixUs: number): number {
  writeHeader(memory, ELEMENT.timestamp, rows);
  const us = unixUs - POSTGRES_EPOCH_US;
  const high = Math.floor(us / 4294967296);
  const low = us % 4294967296;
  for (let row = 0, at = HEADER_BYTES; row < rows; row++, at += 12) {
    memory.view.setInt32(at, 8);
    memory.view.setInt32(at + 4, high);
    memory.view.setUint32(at + 8, low);
  }
  return HEADER_BYTES + 12 * rows;
}

function writeInts(memory: NativeMemory, values: Int32Array, rows: number): number {
  writeHeader(memory, ELEMENT.int4, rows);
  for (let row = 0, at = HEADER_BYTES; row < rows; row++, at += 8) {
    memory.view.setInt32(at, 4);
    memory.view.setInt32(at + 4, values[row] as number);
  }
  return HEADER_BYTES + 8 * rows;
}

function writeTexts(memory: NativeMemory, batch: RowBatch): number {
  writeHeader(memory, ELEMENT.text, batch.rows);
  let at = HEADER_BYTES;
  let from = 0;
  for (let row = 0; row < batch.rows; row++) {
    const to = batch.dataEnd[row] as number;
    memory.view.setInt32(at, to - from);
    at += 4;
    while (from < to) memory.bytes[at++] = batch.bytes[from++] as number;
  }
  return at;
}
