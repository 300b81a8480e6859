import { stringify } from 'csv-stringify/sync';

/** Formats of an export: one table each, for programs. */
export const EXPORT_FORMATS = ['csv', 'tsv', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

type Value = string | number | null;

/** So many rows at a time are held as text. */
const ROWS_AT_A_TIME = 1000;

/**
 * Rows as text, a piece at a time, so that millions of them need no memory. CSV and TSV (RFC 4180
 * quoting) have a header line; absent is empty, as empty text is. JSON is an array of objects by
 * column, one a line. Numbers are at full precision.
 */
export function* exportText(
  columns: readonly string[],
  rows: Iterable<readonly Value[]>,
  format: ExportFormat,
): Generator<string> {
  yield* format === 'json' ? jsonText(columns, rows) : delimitedText(columns, rows, format);
}

function* delimitedText(
  columns: readonly string[],
  rows: Iterable<readonly Value[]>,
  format: 'csv' | 'tsv',
): Generator<string> {
  const text = (records: readonly (readonly Value[])[]): string =>
    stringify(records as Value[][], { delimiter: format === 'csv' ? ',' : '\t' });
  yield text([columns]);
  for (const batch of batches(rows)) yield text(batch);
}

function* jsonText(
  columns: readonly string[],
  rows: Iterable<readonly Value[]>,
): Generator<string> {
  let isFirst = true;
  for (const batch of batches(rows)) {
    const objects = batch.map((row) =>
      JSON.stringify(Object.fromEntries(columns.map((column, i) => [column, row[i]]))),
    );
    yield `${isFirst ? '[\n' : ',\n'}${objects.join(',\n')}`;
    isFirst = false;
  }
  yield isFirst ? '[]\n' : '\n]\n';
}

function* batches<T>(rows: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < ROWS_AT_A_TIME) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
