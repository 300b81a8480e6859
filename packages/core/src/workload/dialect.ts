import type { Workload } from './workload.ts';

/** Ways to get rows into a table; `values` is the published one. */
export const INSERT_METHODS = [
  'values',
  'prepared',
  'unnest',
  'copy',
  'singleton',
  'pipeline',
] as const;
export type InsertMethod = (typeof INSERT_METHODS)[number];

/** How a database marks a parameter in a prepared statement: `$1` or `?`. */
export type Placeholder = (n: number) => string;

/** The parts of a workload that decide what tables look like. */
export type TableOptions = Pick<Workload, 'secondary_indexes' | 'partitions'> & {
  /** Rows that the run is expected to insert into one table; sizes the partitions. */
  readonly expectedRows: number;
};

/** A query of the workload, with one parameter or ten. */
export interface QueryText {
  readonly name: string;
  /** SQL cut at its parameters: text before the first, between, after the last. */
  readonly parts: readonly string[];
  /** Cardinality of the parameter's column; null: parameters are ids. */
  readonly domain: number | null;
}

/** The SQL of the Insert Benchmark in the words of one database. Pure text, no connection. */
export interface Dialect {
  readonly placeholder: Placeholder;
  createTable(table: string, options: TableOptions): readonly string[];
  dropTable(table: string): string;
  /** Names of all that createTable and createIndexes make with a name of ours. */
  relationNames(
    table: string,
    options: Pick<TableOptions, 'partitions' | 'secondary_indexes'>,
  ): readonly string[];
  /** One statement per secondary index, in the order they are built. */
  createIndexes(table: string, options: TableOptions): readonly string[];
  /** Their names, in the same order. */
  indexNames(table: string, options: Pick<TableOptions, 'secondary_indexes'>): readonly string[];
  /**
   * What a method of inserting sends: the text before the first `(…)` of a multi-row insert, or, for
   * `unnest` and `copy`, the whole statement.
   */
  insertSql(table: string, method: InsertMethod, copyFormat: 'binary' | 'text'): string;
  /** Text around the guess and the number of rows: [before G, between, after N]. */
  deleteParts(table: string): readonly [string, string, string];
  rangeQueries(table: string, workload: Workload): readonly QueryText[];
  pointQuery(table: string): QueryText;
  minId(table: string): string;
  maxId(table: string): string;
}

/** Statement text with placeholders where the parameters go. */
export function withPlaceholders(parts: readonly string[], placeholder: Placeholder): string {
  return parts.reduce((sql, part, i) => sql + placeholder(i) + part);
}

/** Ids in one point query (SPEC 3.3). */
export const POINT_IDS = 10;

/** Columns of an insert in the order of their values. */
export const INSERT_COLUMNS = [
  'dateandtime',
  'cashregisterid',
  'customerid',
  'productid',
  'price',
  'data',
] as const;
