import { type RowBatch, writeBytes, writeNumber } from '@ibench/core/worker';
import { TimestampText } from '../clock.ts';
import { type Connection, POSTGRES_EPOCH_US } from '../driver/driver.ts';
import { zeroTerminated } from '../driver/text.ts';
import { allocate, type NativeMemory } from '../posix.ts';
import {
  type InsertShape,
  type InsertStatement,
  oneStatement,
  unixMicroseconds,
} from './statement.ts';

/** Signature, flags and length of the extension of COPY's binary format. */
const SIGNATURE: Uint8Array = Uint8Array.of(
  0x50,
  0x47,
  0x43,
  0x4f,
  0x50,
  0x59,
  0x0a,
  0xff,
  0x0d,
  0x0a,
  0x00,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
);

/** Bytes of a row in binary without its data: field count, six lengths, a timestamp, four numbers. */
const BINARY_ROW = 2 + 6 * 4 + 8 + 4 * 4;

/** Longest row as text without its data: a timestamp, four numbers, five tabs, a newline. */
const TEXT_ROW = 26 + 4 * 10 + 6;

/** `copy`: one COPY FROM STDIN for each batch, binary or text as its command says. */
export function copyInsert(job: InsertShape, connection: Connection): InsertStatement {
  const command = zeroTerminated(job.sql);
  const binary = job.sql.includes('binary');
  const row = (binary ? BINARY_ROW : TEXT_ROW) + job.shape.data_length_max;
  const data = allocate(SIGNATURE.length + job.rowsPerCommit * row + 2);
  const timestamp = new TimestampText();
  let length = 0;
  return {
    encode: (batch) => {
      length = binary
        ? writeBinary(data, batch, unixMicroseconds())
        : writeText(data.bytes, batch, timestamp.now());
    },
    send: () => {
      connection.sendText(command, command.bytes.length - 1);
      connection.sendCopy(data, length);
    },
    receive: () => connection.receive(),
    advance: oneStatement,
  };
}

function writeBinary({ view, bytes }: NativeMemory, batch: RowBatch, unixUs: number): number {
  const us = unixUs - POSTGRES_EPOCH_US;
  const high = Math.floor(us / 4294967296);
  const low = us % 4294967296;
  let at = writeBytes(bytes, 0, SIGNATURE);
  let from = 0;
  for (let row = 0; row < batch.rows; row++) {
    view.setInt16(at, 6);
    view.setInt32(at + 2, 8);
    view.setInt32(at + 6, high);
    view.setUint32(at + 10, low);
    view.setInt32(at + 14, 4);
    view.setInt32(at + 18, batch.cashRegister[row] as number);
    view.setInt32(at + 22, 4);
    view.setInt32(at + 26, batch.customer[row] as number);
    view.setInt32(at + 30, 4);
    view.setInt32(at + 34, batch.product[row] as number);
    view.setInt32(at + 38, 4);
    view.setInt32(at + 42, batch.price[row] as number);
    const to = batch.dataEnd[row] as number;
    view.setInt32(at + 46, to - from);
    at += BINARY_ROW;
    while (from < to) bytes[at++] = batch.bytes[from++] as number;
  }
  view.setInt16(at, -1);
  return at + 2;
}

const TAB = 9;
const NEWLINE = 10;

/** No value of a row has a character that COPY's text format must escape. */
function writeText(bytes: Uint8Array, batch: RowBatch, timestamp: Uint8Array): number {
  let at = 0;
  let from = 0;
  for (let row = 0; row < batch.rows; row++) {
    at = writeBytes(bytes, at, timestamp);
    bytes[at++] = TAB;
    at = writeNumber(bytes, at, batch.cashRegister[row] as number);
    bytes[at++] = TAB;
    at = writeNumber(bytes, at, batch.customer[row] as number);
    bytes[at++] = TAB;
    at = writeNumber(bytes, at, batch.product[row] as number);
    bytes[at++] = TAB;
    at = writeNumber(bytes, at, batch.price[row] as number);
    bytes[at++] = TAB;
    const to = batch.dataEnd[row] as number;
    while (from < to) bytes[at++] = batch.bytes[from++] as number;
    bytes[at++] = NEWLINE;
  }
  return at;
}
