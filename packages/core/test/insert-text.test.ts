import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InsertText, insertTextCapacity } from '../src/workload/insert-text.ts';
import { postgresDialect } from '../src/workload/postgres.ts';
import { type RowBatch, RowGenerator } from '../src/workload/rows.ts';
import { plainRows, SHAPE } from './batch-rows.ts';

const TIMESTAMP = '2026-01-02 03:04:05.678901';
const PREFIX = postgresDialect.insertSql('pi1', 'values', 'binary');
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The statement as anyone would build it. */
function reference(batch: RowBatch): string {
  const rows = plainRows(batch).map(
    ({ cashRegister, customer, product, price, data }) =>
      `('${TIMESTAMP}',${cashRegister},${customer},${product},${price},'${data}')`,
  );
  return PREFIX + rows.join(',');
}

function write(target: Uint8Array, batch: RowBatch): string {
  const length = new InsertText(target, encode(PREFIX)).write(batch, encode(TIMESTAMP));
  assert.equal(target[length], 0, 'no zero after the text');
  return new TextDecoder().decode(target.subarray(0, length));
}

describe('the text of an insert', () => {
  it('is what joining strings gives, for every number of rows', () => {
    const generator = new RowGenerator(1, 1, SHAPE, 100);
    for (let rows = 1; rows <= 100; rows++) {
      const batch = generator.fill(rows, rows);
      const target = new Uint8Array(insertTextCapacity(encode(PREFIX), rows, 20));
      assert.equal(write(target, batch), reference(batch));
    }
  });

  it('names the columns in the order of the values', () => {
    assert.equal(
      PREFIX,
      'insert into pi1 (dateandtime, cashregisterid, customerid, productid, price, data) values ',
    );
  });

  it('leaves nothing of a longer statement that was in the buffer before', () => {
    const generator = new RowGenerator(1, 1, SHAPE, 50);
    const target = new Uint8Array(insertTextCapacity(encode(PREFIX), 50, 20));
    write(target, generator.fill(0, 50));
    const short = generator.fill(1, 2);
    assert.equal(write(target, short), reference(short));
  });

  it('fits into the capacity with the largest numbers and the longest data', () => {
    const rows = 3;
    const largest = new Int32Array(rows).fill(2 ** 31 - 1);
    const batch: RowBatch = {
      rows,
      cashRegister: largest,
      customer: largest,
      product: largest,
      price: largest,
      dataEnd: Int32Array.from([4000, 8000, 12_000]),
      bytes: new Uint8Array(12_000).fill(97),
    };
    const target = new Uint8Array(insertTextCapacity(encode(PREFIX), rows, 4000));
    assert.equal(write(target, batch), reference(batch));
  });

  it('has empty data as an empty string', () => {
    const shape = { ...SHAPE, data_length_min: 0, data_length_max: 0 };
    const batch = new RowGenerator(1, 1, shape, 1).fill(0, 1);
    const target = new Uint8Array(insertTextCapacity(encode(PREFIX), 1, 0));
    const text = write(target, batch);
    assert.equal(text, reference(batch));
    assert.ok(text.endsWith(",'')"));
  });
});
