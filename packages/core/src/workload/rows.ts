import { Random } from './random.ts';
import type { Workload } from './workload.ts';

/** The parameters of a workload that decide what is in a row. */
export type RowShape = Pick<
  Workload,
  | 'cash_registers'
  | 'customers'
  | 'products'
  | 'prices'
  | 'data_length_min'
  | 'data_length_max'
  | 'data_random_share'
>;

/** One statement's rows as columns. `data` of row i is bytes[dataEnd[i − 1] ?? 0 … dataEnd[i]]. */
export interface RowBatch {
  rows: number;
  readonly cashRegister: Int32Array;
  readonly customer: Int32Array;
  readonly product: Int32Array;
  readonly price: Int32Array;
  readonly dataEnd: Int32Array;
  readonly bytes: Uint8Array;
}

const ALPHABET: Uint8Array = new TextEncoder().encode(
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz+-/',
);
const REPEATED = 'a'.charCodeAt(0);
/** Up to here a loop takes less time than the call of a built-in function. */
const SHORT = 64;

/**
 * Makes the rows of batch k of a client: a function of (seed, client, k) and nothing else. Everything
 * is written into arrays made once; dateandtime is left to the statement, which is sent at some time.
 */
export class RowGenerator {
  readonly batch: RowBatch;
  readonly #random: Random = new Random();
  readonly #seed: number;
  readonly #client: number;
  readonly #shape: RowShape;

  /** @param maxRows most rows that one batch will have */
  constructor(seed: number, client: number, shape: RowShape, maxRows: number) {
    this.#seed = seed;
    this.#client = client;
    this.#shape = shape;
    this.batch = {
      rows: 0,
      cashRegister: new Int32Array(maxRows),
      customer: new Int32Array(maxRows),
      product: new Int32Array(maxRows),
      price: new Int32Array(maxRows),
      dataEnd: new Int32Array(maxRows),
      bytes: new Uint8Array(maxRows * shape.data_length_max),
    };
  }

  /** Fills `batch` with the rows of batch k (whole, 0 ≤ k < 2^53). */
  fill(k: number, rows: number): RowBatch {
    const { batch } = this;
    const random = this.#random;
    const shape = this.#shape;
    random.seed(this.#seed, this.#client, k);
    batch.rows = rows;
    let end = 0;
    for (let i = 0; i < rows; i++) {
      batch.cashRegister[i] = random.below(shape.cash_registers);
      batch.customer[i] = random.below(shape.customers);
      batch.product[i] = random.below(shape.products);
      batch.price[i] = random.below(shape.prices);
      end = this.#fillData(end);
      batch.dataEnd[i] = end;
    }
    return batch;
  }

  /** Random characters first, then the repeated letter; five characters from each random number. */
  #fillData(start: number): number {
    const { bytes } = this.batch;
    const shape = this.#shape;
    const random = this.#random;
    const length =
      shape.data_length_min + random.below(shape.data_length_max - shape.data_length_min + 1);
    const end = start + length;
    const randomEnd = start + Math.round(length * shape.data_random_share);
    let bits = 0;
    for (let i = start, left = 0; i < randomEnd; i++, left--) {
      if (left === 0) {
        bits = random.next();
        left = 5;
      }
      bytes[i] = ALPHABET[bits & 63]!;
      bits >>>= 6;
    }
    if (end - randomEnd > SHORT) bytes.fill(REPEATED, randomEnd, end);
    else for (let i = randomEnd; i < end; i++) bytes[i] = REPEATED;
    return end;
  }
}
