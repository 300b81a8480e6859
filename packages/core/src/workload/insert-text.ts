import { writeBytes, writeNumber } from './bytes.ts';
import type { RowBatch } from './rows.ts';

const COMMA = 44;
const QUOTE = 39;
const OPEN = 40;
const CLOSE = 41;

/** Longest text of one row beside its data: brackets, quotes, commas (13), a timestamp (26), four numbers (40). */
const ROW_BYTES = 90;

/** Size of a buffer that holds any insert of `rows` rows, its terminating zero included. */
export function insertTextCapacity(
  prefix: Uint8Array,
  rows: number,
  dataLengthMax: number,
): number {
  return prefix.length + rows * (ROW_BYTES + dataLengthMax) + 1;
}

/**
 * Writes one multi-row insert as zero-terminated text into `target`:
 * `<prefix>('<timestamp>',c,c,p,p,'data'),(…)`.
 *
 * @param prefix text up to the first row
 * @param timestamp dateandtime of all rows, without quotes
 * @returns length of the text without the zero
 */
export function writeInsertText(
  target: Uint8Array,
  prefix: Uint8Array,
  batch: RowBatch,
  timestamp: Uint8Array,
): number {
  let at = writeBytes(target, 0, prefix);
  let from = 0;
  for (let i = 0; i < batch.rows; i++) {
    if (i > 0) target[at++] = COMMA;
    target[at++] = OPEN;
    target[at++] = QUOTE;
    at = writeBytes(target, at, timestamp);
    target[at++] = QUOTE;
    target[at++] = COMMA;
    at = writeNumber(target, at, batch.cashRegister[i]!);
    target[at++] = COMMA;
    at = writeNumber(target, at, batch.customer[i]!);
    target[at++] = COMMA;
    at = writeNumber(target, at, batch.product[i]!);
    target[at++] = COMMA;
    at = writeNumber(target, at, batch.price[i]!);
    target[at++] = COMMA;
    target[at++] = QUOTE;
    const to = batch.dataEnd[i]!;
    while (from < to) target[at++] = batch.bytes[from++]!;
    target[at++] = QUOTE;
    target[at++] = CLOSE;
  }
  target[at] = 0;
  return at;
}
