import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RowGenerator, type RowShape } from '../src/workload/rows.ts';
import { type PlainRow, plainRows, SHAPE } from './batch-rows.ts';
import { countInBins, isUniform } from './chi-square.ts';

const STEP = 2 ** 32;

/** Many rows of one client: batches of 50 from the first on. */
function manyRows(shape: RowShape, n = 50_000): PlainRow[] {
  const generator = new RowGenerator(1, 1, shape, 50);
  return Array.from({ length: n / 50 }, (_, k) => plainRows(generator.fill(k, 50))).flat();
}

function batch(seed: number, client: number, k: number, rows = 20): PlainRow[] {
  return plainRows(new RowGenerator(seed, client, SHAPE, rows).fill(k, rows));
}

describe('rows', () => {
  const rows = manyRows(SHAPE);

  it('have whole numbers uniform over the domain of each column', () => {
    const domains = { cashRegister: 1000, customer: 100_000, product: 10_000, price: 500 } as const;
    for (const [column, n] of Object.entries(domains)) {
      const values = rows.map((row) => row[column as keyof typeof domains]);
      for (const value of values) assert.ok(Number.isInteger(value) && value >= 0 && value < n);
      assert.ok(isUniform(countInBins(values, n, 100)), column);
    }
  });

  it('have columns that do not depend on each other', () => {
    const cells = rows.map(
      (row) => Math.floor(row.price / 50) * 10 + Math.floor(row.product / 1000),
    );
    assert.ok(isUniform(countInBins(cells, 100, 100)));
  });

  it('have data of 10 to 20 characters, every length equally often', () => {
    assert.ok(
      isUniform(
        countInBins(
          rows.map((row) => row.data.length - 10),
          11,
          11,
        ),
      ),
    );
    assert.equal(Math.min(...rows.map((row) => row.data.length)), 10);
    assert.equal(Math.max(...rows.map((row) => row.data.length)), 20);
  });

  it('have data whose first half is random, the rest one repeated letter that is not used before', () => {
    const alphabet = new Map<string, number>();
    for (const { data } of rows) {
      const random = Math.round(data.length / 2);
      assert.equal(data.slice(random), 'a'.repeat(data.length - random));
      for (const char of data.slice(0, random)) alphabet.set(char, (alphabet.get(char) ?? 0) + 1);
    }
    assert.equal(alphabet.size, 64);
    assert.ok(!alphabet.has('a'));
    assert.ok(isUniform([...alphabet.values()]));
  });

  it('have nothing in data that SQL or the log would have to escape', () => {
    for (const { data } of rows) assert.match(data, /^[\w+/-]*$/);
  });

  it('have as much random data as the workload says, from none to all', () => {
    for (const share of [0, 0.25, 1]) {
      const shape = {
        ...SHAPE,
        data_length_min: 40,
        data_length_max: 40,
        data_random_share: share,
      };
      for (const { data } of manyRows(shape, 500)) {
        assert.equal(data.replace(/a*$/, '').length, 40 * share);
      }
    }
  });

  it('follow a shape of extremes: one value, empty data, the largest numbers and longest data', () => {
    const least = { cash_registers: 1, customers: 1, products: 1, prices: 1, data_random_share: 1 };
    const empty = { ...least, data_length_min: 0, data_length_max: 0 };
    const zero = { cashRegister: 0, customer: 0, product: 0, price: 0, data: '' };
    for (const row of manyRows(empty, 100)) assert.deepEqual(row, zero);
    const large = {
      ...SHAPE,
      customers: 2 ** 31 - 1,
      data_length_min: 4000,
      data_length_max: 4000,
    };
    const most = manyRows(large, 100);
    for (const row of most) {
      assert.ok(row.customer >= 0 && row.customer < 2 ** 31 - 1);
      assert.equal(row.data.length, 4000);
    }
    assert.ok(most.some((row) => row.customer > 2 ** 30));
  });
});

describe('a batch of rows', () => {
  it('is a function of seed, client and number, whatever was made before', () => {
    const generator = new RowGenerator(7, 3, SHAPE, 20);
    generator.fill(1, 20);
    generator.fill(2 * STEP + 5, 3);
    assert.deepEqual(plainRows(generator.fill(9, 20)), batch(7, 3, 9));
    assert.deepEqual(plainRows(generator.fill(9, 20)), batch(7, 3, 9));
  });

  it('that is short holds the first rows of the full one', () => {
    assert.deepEqual(batch(1, 1, 4, 7), batch(1, 1, 4, 20).slice(0, 7));
  });

  it('is like no other batch of any seed, client, step or number', () => {
    const seen = new Set<string>();
    let made = 0;
    for (const seed of [0, 1, 2, 2 ** 32 - 1])
      for (const client of [1, 2, 3, 1000])
        for (const step of [1, 3, 4, 6, 11])
          for (let k = 0; k < 20; k++, made++) {
            seen.add(JSON.stringify(batch(seed, client, step * STEP + k, 3)));
          }
    assert.equal(seen.size, made);
  });

  it('shares no more values with the next one than chance gives', () => {
    let same = 0;
    const trials = 20_000;
    const generator = new RowGenerator(1, 1, SHAPE, 1);
    let before = generator.fill(0, 1).price[0];
    for (let k = 1; k <= trials; k++) {
      const price = generator.fill(k, 1).price[0];
      if (price === before) same++;
      before = price;
    }
    const expected = trials / SHAPE.prices;
    assert.ok(Math.abs(same - expected) < 5 * Math.sqrt(expected), `${same} of ${trials}`);
  });
});
