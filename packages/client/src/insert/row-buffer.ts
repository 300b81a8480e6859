import type { RowBatch } from '@ibench/core/worker';
import type { Parameters } from '../driver/driver.ts';
import { unixMicroseconds } from './statement.ts';

/** Types of the six columns of a row as parameters. */
export const ROW_TYPES = ['timestamp', 'int4', 'int4', 'int4', 'int4', 'text'] as const;

/** Binds a row of a batch, but for its time, to the parameters from `first` on; makes no garbage. */
export function bindRow(parameters: Parameters, first: number, batch: RowBatch, row: number): void {
  parameters.setInt32(first + 1, batch.cashRegister[row] as number);
  parameters.setInt32(first + 2, batch.customer[row] as number);
  parameters.setInt32(first + 3, batch.product[row] as number);
  parameters.setInt32(first + 4, batch.price[row] as number);
  const from = row === 0 ? 0 : (batch.dataEnd[row - 1] as number);
  parameters.setText(first + 5, batch.bytes, from, batch.dataEnd[row] as number);
}

/** A batch kept for methods that send its rows one by one, while the generator makes the next. */
export class RowBuffer {
  readonly batch: RowBatch;
  us = 0;

  constructor(maxRows: number, dataLengthMax: number) {
    this.batch = {
      rows: 0,
      cashRegister: new Int32Array(maxRows),
      customer: new Int32Array(maxRows),
      product: new Int32Array(maxRows),
      price: new Int32Array(maxRows),
      dataEnd: new Int32Array(maxRows),
      bytes: new Uint8Array(maxRows * dataLengthMax),
    };
  }

  copy(from: RowBatch): void {
    this.us = unixMicroseconds();
    this.batch.rows = from.rows;
    this.batch.cashRegister.set(from.cashRegister);
    this.batch.customer.set(from.customer);
    this.batch.product.set(from.product);
    this.batch.price.set(from.price);
    this.batch.dataEnd.set(from.dataEnd);
    this.batch.bytes.set(from.bytes);
  }
}
