import type { RowBatch, RowShape } from '../src/workload/rows.ts';

/** A row as plain values. */
export interface PlainRow {
  readonly cashRegister: number;
  readonly customer: number;
  readonly product: number;
  readonly price: number;
  readonly data: string;
}

/** The default shape of SPEC 3.1. */
export const SHAPE: RowShape = {
  cash_registers: 1000,
  customers: 100_000,
  products: 10_000,
  prices: 500,
  data_length_min: 10,
  data_length_max: 20,
  data_random_share: 0.5,
};

/** The rows of a batch, copied out of its arrays. */
export function plainRows(batch: RowBatch): PlainRow[] {
  return Array.from({ length: batch.rows }, (_, i) => ({
    cashRegister: batch.cashRegister[i]!,
    customer: batch.customer[i]!,
    product: batch.product[i]!,
    price: batch.price[i]!,
    data: new TextDecoder().decode(
      batch.bytes.slice(i === 0 ? 0 : batch.dataEnd[i - 1]!, batch.dataEnd[i]!),
    ),
  }));
}
