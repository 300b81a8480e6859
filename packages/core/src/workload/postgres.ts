import type { Dialect, InsertMethod, QueryText, TableOptions } from './dialect.ts';
import { INSERT_COLUMNS, POINT_IDS } from './dialect.ts';
import type { Workload } from './workload.ts';

/** The Insert Benchmark in PostgreSQL's SQL (SPEC 3.1 and 3.3). */
export const postgresDialect: Dialect = {
  placeholder: (n) => `$${n}`,
  createTable,
  createIndexes,
  indexNames,
  dropTable: (table) => `drop table if exists ${table}`,
  relationNames,
  insertSql,
  deleteParts: (table) => [
    `delete from ${table} where transactionid in (select transactionid from ${table} where transactionid >= `,
    ' order by transactionid asc limit ',
    ')',
  ],
  rangeQueries,
  pointQuery: (table) => ({
    name: 'point',
    parts: [
      `select transactionid, productid, data from ${table} where transactionid in (`,
      ...Array.from({ length: POINT_IDS - 1 }, () => ', '),
      ')',
    ],
    domain: null,
  }),
  minId: (table) => `select min(transactionid) from ${table}`,
  maxId: (table) => `select max(transactionid) from ${table}`,
};

const SECONDARY_INDEXES = [
  { suffix: 'marketsegment', columns: 'productid, customerid, price' },
  { suffix: 'registersegment', columns: 'cashregisterid, customerid, price' },
  { suffix: 'pdc', columns: 'price, dateandtime, customerid' },
] as const;

/** The sequence is made first, with a cache of 1000, and owned by its column as bigserial's is. */
function createTable(table: string, options: TableOptions): readonly string[] {
  const sequence = sequenceOf(table);
  const partitioned = options.partitions > 0;
  return [
    `create sequence ${sequence} cache 1000`,
    `create table ${table} (
  transactionid bigint not null default nextval('${sequence}') primary key,
  dateandtime timestamp without time zone,
  cashregisterid int not null,
  customerid int not null,
  productid int not null,
  price int not null,
  data varchar(4000)
)${partitioned ? ' partition by range (transactionid)' : ''}`,
    `alter sequence ${sequence} owned by ${table}.transactionid`,
    ...(partitioned ? createPartitions(table, options) : []),
  ];
}

function relationNames(
  table: string,
  { partitions, secondary_indexes }: Pick<TableOptions, 'partitions' | 'secondary_indexes'>,
): string[] {
  return [
    table,
    sequenceOf(table),
    ...Array.from({ length: partitions }, (_, i) => partitionOf(table, i)),
    ...indexNames(table, { secondary_indexes }),
  ];
}

function indexNames(
  table: string,
  { secondary_indexes }: Pick<TableOptions, 'secondary_indexes'>,
): string[] {
  return SECONDARY_INDEXES.slice(0, secondary_indexes).map(({ suffix }) => `${table}_${suffix}`);
}

function sequenceOf(table: string): string {
  return `${table}_transactionid_seq`;
}

function partitionOf(table: string, index: number): string {
  return `${table}_p${index + 1}`;
}

function createPartitions(table: string, { partitions, expectedRows }: TableOptions): string[] {
  const width = Math.max(1, Math.ceil(expectedRows / partitions));
  return Array.from({ length: partitions }, (_, i) => {
    const from = i === 0 ? 'minvalue' : i * width + 1;
    const to = i === partitions - 1 ? 'maxvalue' : (i + 1) * width + 1;
    return `create table ${partitionOf(table, i)} partition of ${table} for values from (${from}) to (${to})`;
  });
}

function createIndexes(table: string, { secondary_indexes }: TableOptions): readonly string[] {
  return SECONDARY_INDEXES.slice(0, secondary_indexes).map(
    ({ suffix, columns }) => `create index ${table}_${suffix} on ${table} (${columns})`,
  );
}

function insertSql(table: string, method: InsertMethod, copyFormat: 'binary' | 'text'): string {
  const columns = INSERT_COLUMNS.join(', ');
  if (method === 'copy') {
    return `copy ${table} (${columns}) from stdin${copyFormat === 'binary' ? ' (format binary)' : ''}`;
  }
  if (method === 'unnest') {
    return `insert into ${table} (${columns}) select * from unnest($1::timestamp[], $2::int[], $3::int[], $4::int[], $5::int[], $6::text[])`;
  }
  return `insert into ${table} (${columns}) values `;
}

function rangeQueries(table: string, w: Workload): readonly QueryText[] {
  return [
    {
      name: 'pdc',
      parts: [
        `select price, dateandtime, customerid from ${table} where price >= `,
        ' order by price, dateandtime, customerid limit 10',
      ],
      domain: w.prices,
    },
    {
      name: 'marketsegment',
      parts: [
        `select productid, customerid, price from ${table} where productid >= `,
        ' order by productid, customerid, price limit 10',
      ],
      domain: w.products,
    },
    {
      name: 'registersegment',
      parts: [
        `select cashregisterid, customerid, price from ${table} where cashregisterid > `,
        ' order by cashregisterid, customerid, price limit 10',
      ],
      domain: w.cash_registers,
    },
  ];
}
