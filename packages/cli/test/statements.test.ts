import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { INSERT_METHODS, parseWorkload } from '@ibench/core';
import { RowGenerator } from '@ibench/core/worker';
import { type Bench, type LoggedStatement, openBench, type StepRun } from './rate-support.ts';

const SMALL = { rows: 5000, l_i1_rows: 1030, l_i2_rows: 503 };

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench?.close());

/** What is in a table, dateandtime apart. */
async function contents(table = 'pi1'): Promise<string> {
  const [row] = await bench.sql(
    `select count(*) || ' ' || md5(string_agg(concat_ws(',', transactionid, cashregisterid,
       customerid, productid, price, data), ';' order by transactionid)) as text from ${table}`,
  );
  return String(row?.text);
}

/** Loads, inserts and deletes, and says what is in the table after that. */
async function contentsOfRun(parameters: object): Promise<string> {
  await bench.load({ ...SMALL, ...parameters }, { indexes: false });
  await bench.step('l.i1');
  await bench.step('l.i2');
  return await contents();
}

function totals({ result }: StepRun, role: string): { operations: number; rows: number } {
  const workers = result.workers.filter((worker) => worker.role === role);
  return {
    operations: workers.reduce((sum, worker) => sum + worker.operations, 0),
    rows: workers.reduce((sum, worker) => sum + worker.rows, 0),
  };
}

function rowsPerQuery(run: StepRun): number {
  const { rows, operations } = totals(run, 'query');
  return rows / operations;
}

/** How statements that begin with `text` were sent by a role's connections: the kinds, and how many. */
function sent(log: readonly LoggedStatement[], role: string, text: string) {
  const found = log.filter(
    ({ connection, sql }) => connection.startsWith(`${role}/`) && sql.startsWith(text),
  );
  return { kinds: [...new Set(found.map(({ protocol }) => protocol))], count: found.length };
}

describe('the rows of a run', () => {
  let reference: string;
  before(async () => {
    reference = await contentsOfRun({});
    assert.match(reference, /^5000 /);
  });

  it('are the same in a second run with the same seed', async () => {
    assert.equal(await contentsOfRun({}), reference);
  });

  it('are others with another seed', async () => {
    const other = await contentsOfRun({ seed: 2 });
    assert.match(other, /^5000 /);
    assert.notEqual(other, reference);
  });

  for (const insert_method of INSERT_METHODS) {
    it(`are the same when inserted by ${insert_method}, and deleted by a prepared statement`, async () => {
      assert.equal(await contentsOfRun({ insert_method, prepared_deletes: true }), reference);
    });
  }

  it('are the same when inserted by copy in text format', async () => {
    assert.equal(await contentsOfRun({ insert_method: 'copy', copy_format: 'text' }), reference);
  });

  it('are the same for a client whether it is alone or not, and others for the next client', async () => {
    await contentsOfRun({ clients: 2 });
    assert.equal(await contents('pi1'), reference);
    assert.match(await contents('pi2'), /^5000 /);
    assert.notEqual(await contents('pi2'), reference);
  });

  it('are those of the row generator, batch by batch, with the time at which they were made', async () => {
    for (const insert_method of INSERT_METHODS) {
      const parameters = { ...SMALL, seed: 9, insert_method };
      await bench.load(parameters, { indexes: false });
      const rows = await bench.sql(
        `select cashregisterid c, customerid u, productid p, price r, data,
           abs(extract(epoch from now() at time zone 'utc' - dateandtime)) < 600 as is_recent
         from pi1 order by transactionid`,
      );
      const generator = new RowGenerator(9, 1, parseWorkload(parameters, 'test'), 100);
      const expected = Array.from({ length: 50 }, (_, k) => {
        const batch = generator.fill(2 ** 32 + k, 100);
        return Array.from({ length: 100 }, (_, i) => ({
          c: batch.cashRegister[i],
          u: batch.customer[i],
          p: batch.product[i],
          r: batch.price[i],
          data: new TextDecoder().decode(
            batch.bytes.slice(batch.dataEnd[i - 1] ?? 0, batch.dataEnd[i]),
          ),
          is_recent: true,
        }));
      }).flat();
      assert.deepEqual(rows, expected);
    }
  });
});

describe('statements', () => {
  before(async () => {
    await bench.load({ rows: 50_000, read_write_seconds: 1 });
    await bench.sql(`alter database ib set log_statement = 'all'`);
  });
  after(() => bench.sql('alter database ib reset log_statement'));

  it('are text for inserts and deletes and prepared for queries, unless the workload says otherwise', async () => {
    const point = await bench.step('qp100');
    const range = await bench.step('qr100');
    for (const { log, result } of [point, range]) {
      assert.deepEqual(sent(log, 'insert', 'insert into pi1 '), { kinds: ['statement'], count: 2 });
      assert.deepEqual(sent(log, 'delete', 'delete from pi1 '), { kinds: ['statement'], count: 2 });
      const queries = totals({ result } as StepRun, 'query').operations;
      const logged = log.filter(
        ({ connection, protocol }) => connection === 'query/1' && protocol === 'execute',
      );
      assert.ok(logged.length - queries >= 0 && logged.length - queries <= 1);
    }
    assert.deepEqual(sent(point.log, 'query', 'select transactionid, ').kinds, ['execute']);
    for (const text of ['select price, ', 'select productid, ', 'select cashregisterid, ']) {
      const { kinds, count } = sent(range.log, 'query', text);
      assert.deepEqual(kinds, ['execute']);
      assert.ok(count > 0);
    }
  });

  it('are prepared for inserts and deletes and text for queries where the workload says so', async () => {
    const parameters = {
      insert_method: 'prepared',
      prepared_deletes: true,
      prepared_queries: false,
    };
    const point = await bench.step('qp100', {}, parameters);
    const range = await bench.step('qr100', {}, parameters);
    for (const { log } of [point, range]) {
      assert.deepEqual(sent(log, 'insert', 'insert into pi1 '), { kinds: ['execute'], count: 2 });
      assert.deepEqual(sent(log, 'delete', 'delete from pi1 '), { kinds: ['execute'], count: 2 });
      assert.deepEqual(sent(log, 'query', 'select ').kinds, ['statement']);
    }
    assert.ok(totals(point, 'query').operations > 0);
    assert.ok(totals(range, 'query').operations > 0);
  });

  it('ask all three range queries about equally often, each over its whole domain', async () => {
    const { log } = await bench.step('qr100', {}, { prepared_queries: false });
    const domains = { price: 500, productid: 10_000, cashregisterid: 1000 };
    const queries = log.filter(({ connection }) => connection === 'query/1');
    for (const [column, domain] of Object.entries(domains)) {
      const values = queries.flatMap(({ sql }) => {
        const match = new RegExp(`where ${column} >=? (\\d+) `).exec(sql);
        return match === null ? [] : [Number(match[1])];
      });
      const share = values.length / queries.length;
      assert.ok(share > 0.25 && share < 0.42, `${column}: ${share}`);
      assert.ok(Math.min(...values) < 0.2 * domain && Math.max(...values) < domain);
      assert.ok(Math.max(...values) > 0.8 * domain);
    }
  });

  it('read the smallest id before the first delete and again after every so many', async () => {
    const { log, result } = await bench.step(
      'l.i2',
      { rowsPerClient: [100] },
      { getmin_statements: 7 },
    );
    const kinds = log
      .filter(({ connection }) => connection === 'delete/1')
      .map(({ sql }) => sql[0]);
    assert.equal(kinds.join(''), `s${'ddddddds'.repeat(2)}dddddd`);
    const resync = result.workers.find(({ role }) => role === 'delete')?.resync;
    assert.deepEqual([resync?.name, resync?.count], ['getmin', 2]);
  });

  it('delete the oldest rows, from a guess that is never above the smallest id', async () => {
    const [row] = await bench.sql('select min(transactionid)::int as id from pi1');
    const { log } = await bench.step('l.i2', { rowsPerClient: [50] });
    const guesses = log.flatMap(({ sql }) => {
      const match = /^delete .* >= (\d+) order by transactionid asc limit 5\)$/.exec(sql);
      return match === null ? [] : [Number(match[1])];
    });
    assert.deepEqual(
      guesses,
      guesses.map((_, k) => Number(row?.id) + 5 * k),
    );
    const [left] = await bench.sql('select min(transactionid)::int as id from pi1');
    assert.ok(Number(left?.id) >= Number(row?.id) + 50);
  });
});

describe('queries fetch ten rows', () => {
  for (const prepared_queries of [true, false]) {
    it(`when they are ${prepared_queries ? 'prepared' : 'text'}`, async () => {
      await bench.load({ rows: 50_000, read_write_seconds: 1, prepared_queries });
      for (const step of ['qp100', 'qr100']) {
        const rows = rowsPerQuery(await bench.step(step));
        assert.ok(Math.abs(rows - 10) < 0.1, `${rows} rows per query in ${step}`);
      }
    });
  }
});

describe('ids beyond 32 bits', () => {
  for (const [what, firstId, prepared] of [
    ['2^31 as text', 2 ** 31 - 3000, false],
    ['2^32 as parameters', 2 ** 32 - 3000, true],
  ] as const) {
    it(`across ${what} are queried and deleted`, async () => {
      const parameters = { rows: 20_000, l_i1_rows: 5000, read_write_seconds: 1 };
      const how = { prepared_deletes: prepared, prepared_queries: prepared };
      await bench.load({ ...parameters, ...how }, { firstId });
      const rows = rowsPerQuery(await bench.step('qp100', { deletes: false }));
      assert.ok(Math.abs(rows - 10) < 0.1, `${rows} rows per query`);
      const deleted = await bench.step('l.i1');
      assert.equal(totals(deleted, 'delete').rows, 5000);
      const [row] = await bench.sql('select min(transactionid)::text as id from pi1');
      assert.equal(Number(row?.id), firstId + 5000);
    });
  }
});
