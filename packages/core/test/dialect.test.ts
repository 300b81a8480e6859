import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withPlaceholders } from '../src/workload/dialect.ts';
import { postgresDialect as sql } from '../src/workload/postgres.ts';
import { parseWorkload } from '../src/workload/workload.ts';

const WORKLOAD = parseWorkload({}, 'test');
const OPTIONS = { secondary_indexes: 3, partitions: 0, expectedRows: 1000 };

describe('the SQL of the benchmark', () => {
  it('deletes the oldest rows from a guess on, as the specification words it', () => {
    const [before, between, after] = sql.deleteParts('pi1');
    assert.equal(
      `${before}17${between}50${after}`,
      'delete from pi1 where transactionid in (select transactionid from pi1 where transactionid >= 17 order by transactionid asc limit 50)',
    );
  });

  it('asks range queries as the specification words them, over the domain of their column', () => {
    assert.deepEqual(
      sql
        .rangeQueries('pi2', WORKLOAD)
        .map(({ parts, domain }) => [withPlaceholders(parts, sql.placeholder), domain]),
      [
        [
          'select price, dateandtime, customerid from pi2 where price >= $1 order by price, dateandtime, customerid limit 10',
          500,
        ],
        [
          'select productid, customerid, price from pi2 where productid >= $1 order by productid, customerid, price limit 10',
          10_000,
        ],
        [
          'select cashregisterid, customerid, price from pi2 where cashregisterid > $1 order by cashregisterid, customerid, price limit 10',
          1000,
        ],
      ],
    );
  });

  it('asks for ten ids at once in a point query', () => {
    assert.equal(
      withPlaceholders(sql.pointQuery('pi1').parts, sql.placeholder),
      'select transactionid, productid, data from pi1 where transactionid in ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
    );
  });

  it('puts a placeholder between each two parts and nowhere else', () => {
    assert.equal(
      withPlaceholders(['a ', ' b ', ''], () => '?'),
      'a ? b ?',
    );
    assert.equal(withPlaceholders(['only'], sql.placeholder), 'only');
  });

  it('creates the secondary indexes in their order, as many as are asked for', () => {
    const all = [
      'create index pi1_marketsegment on pi1 (productid, customerid, price)',
      'create index pi1_registersegment on pi1 (cashregisterid, customerid, price)',
      'create index pi1_pdc on pi1 (price, dateandtime, customerid)',
    ];
    for (const n of [0, 1, 2, 3]) {
      const statements = sql.createIndexes('pi1', { ...OPTIONS, secondary_indexes: n });
      assert.deepEqual(statements, all.slice(0, n));
      const names = sql.indexNames('pi1', { secondary_indexes: n });
      assert.deepEqual(
        names.map((name, i) => all[i]?.startsWith(`create index ${name} `)),
        statements.map(() => true),
      );
    }
  });

  it('creates a table with a 64-bit id from a sequence that hands out a thousand at a time', () => {
    const [sequence, table, owner, ...more] = sql.createTable('pi1', OPTIONS);
    assert.equal(sequence, 'create sequence pi1_transactionid_seq cache 1000');
    assert.match(
      table ?? '',
      /transactionid bigint not null default nextval\('pi1_trans.*primary key/,
    );
    assert.match(owner ?? '', /owned by pi1\.transactionid$/);
    assert.deepEqual(more, []);
  });

  it('cuts the ids into partitions without gap or overlap, open at both ends', () => {
    for (const [partitions, expectedRows] of [
      [1, 1000],
      [4, 1001],
      [10, 3],
    ] as const) {
      const statements = sql.createTable('pi1', { ...OPTIONS, partitions, expectedRows });
      assert.match(statements[1] ?? '', /partition by range \(transactionid\)$/);
      const bounds = statements.slice(3).map((text) => /from \((.+)\) to \((.+)\)$/.exec(text));
      assert.equal(bounds.length, partitions);
      assert.equal(bounds[0]?.[1], 'minvalue');
      assert.equal(bounds.at(-1)?.[2], 'maxvalue');
      for (const [i, bound] of bounds.slice(1).entries()) {
        assert.equal(bound?.[1], bounds[i]?.[2]);
        assert.ok(i === 0 || Number(bound?.[1]) > Number(bounds[i]?.[1]));
      }
    }
  });
});
