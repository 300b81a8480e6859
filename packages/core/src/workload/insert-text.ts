import { writeBytes, writeNumber } from './bytes.ts';
import type { RowBatch } from './rows.ts';

const COMMA = 44;
const QUOTE = 39;
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

/** What comes before the numbers of a row: a comma (not for the first), the bracket, the timestamp, a comma. */
const HEAD = new TextEncoder().encode(",('0000-00-00 00:00:00.000000',");
const TIMESTAMP_AT = 3;
const TIMESTAMP_LENGTH = 26;

/**
 * Writes multi-row inserts as zero-terminated text into a buffer, one after the other:
 * `<prefix>('<timestamp>',c,c,p,p,'data'),(…)`. The head of a row, half of its text and the same in all
 * rows of a statement, is copied in words of four bytes: a third less time than byte by byte.
 */
export class InsertText {
  readonly #target: Uint8Array;
  readonly #words: DataView;
  readonly #prefix: Uint8Array;
  /** One byte longer than HEAD, to be whole words: what follows in the row overwrites it. */
  readonly #head: Uint8Array = new Uint8Array(HEAD.length + 1);
  readonly #headWords: DataView = new DataView(this.#head.buffer);

  /**
   * @param target of at least `insertTextCapacity` bytes
   * @param prefix text up to the first row
   */
  constructor(target: Uint8Array, prefix: Uint8Array) {
    this.#target = target;
    this.#words = new DataView(target.buffer, target.byteOffset, target.byteLength);
    this.#prefix = prefix;
    this.#head.set(HEAD);
  }

  /**
   * Writes the insert of a batch over the one before.
   *
   * @param timestamp dateandtime of all rows, without quotes, 26 bytes
   * @returns length of the text without the zero
   */
  write(batch: RowBatch, timestamp: Uint8Array): number {
    const target = this.#target;
    const words = this.#words;
    const head = this.#headWords;
    for (let i = 0; i < TIMESTAMP_LENGTH; i++) this.#head[TIMESTAMP_AT + i] = timestamp[i]!;
    const { rows, cashRegister, customer, product, price, dataEnd, bytes } = batch;
    const first = this.#prefix.length - 1;
    let at = first;
    let from = 0;
    for (let i = 0; i < rows; i++) {
      for (let word = 0; word < HEAD.length; word += 4) {
        words.setInt32(at + word, head.getInt32(word, true), true);
      }
      at = writeNumber(target, at + HEAD.length, cashRegister[i]!);
      target[at++] = COMMA;
      at = writeNumber(target, at, customer[i]!);
      target[at++] = COMMA;
      at = writeNumber(target, at, product[i]!);
      target[at++] = COMMA;
      at = writeNumber(target, at, price[i]!);
      target[at++] = COMMA;
      target[at++] = QUOTE;
      const to = dataEnd[i]!;
      while (from < to) target[at++] = bytes[from++]!;
      target[at++] = QUOTE;
      target[at++] = CLOSE;
    }
    // Over the comma of the first row, too.
    writeBytes(target, 0, this.#prefix);
    target[at] = 0;
    return at;
  }
}
