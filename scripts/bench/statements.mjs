import fs from 'node:fs';
import path from 'node:path';
import { INSERT_TABLE } from './bench-server.mjs';
import { InsertText, parseWorkload, postgresDialect, RowGenerator } from './ibench.mjs';

/** Rows in a statement of l.i0, and statements in the file that peers replay. */
export const ROWS_PER_STATEMENT = 100;
export const STATEMENTS = 200;

/**
 * Writes inserts as text, word for word as the `values` method sends them: one a line, ended by a
 * semicolon. Returns the file's name.
 */
export function writeStatements(bench) {
  const workload = parseWorkload({}, 'bench');
  const { name, client } = INSERT_TABLE;
  const generator = new RowGenerator(workload.seed, client, workload, ROWS_PER_STATEMENT);
  const prefix = Buffer.from(postgresDialect.insertSql(name, 'values', 'text'));
  const timestamp = Buffer.from('2026-01-31 12:34:56.123456');
  const text = Buffer.alloc(64 * 1024);
  const insert = new InsertText(text, prefix);
  const lines = Array.from({ length: STATEMENTS }, (_, k) => {
    const batch = generator.fill(k, ROWS_PER_STATEMENT);
    return text.toString('latin1', 0, insert.write(batch, timestamp));
  });
  const file = path.join(bench.directory, 'statements.sql');
  fs.writeFileSync(file, `${lines.join(';\n')};\n`);
  return file;
}
