import { BIG_TABLE, emptyInsertTable, INSERT_TABLE } from './bench-server.mjs';
import { RunError } from './ibench.mjs';
import { findProgram, runProgram } from './programs.mjs';
import { ROWS_PER_STATEMENT } from './statements.mjs';
import { median } from './statistics.mjs';

/**
 * The original Python client, where IBENCH_PYTHON_CLIENT names it.
 *
 * @returns null when it is not asked for; otherwise the file, and why it cannot run (null: it can)
 */
export async function openPython(bench) {
  const file = bench.options.python;
  if (file === null) return null;
  const python = findProgram('python3');
  if (python === null) return { file, python, missing: 'python3 is not on PATH' };
  try {
    await runProgram(bench, python, ['-c', 'import psycopg2']);
    await runProgram(bench, python, [file, '--help']);
  } catch (error) {
    bench.signal.throwIfAborted();
    return { file, python, missing: error.message.trim().split('\n').at(-1) };
  }
  return { file, python, missing: null };
}

/**
 * Its query process on the big table. It only ends when an inserter does, so one row a second is inserted;
 * its clock starts before it connects.
 */
export async function pythonQueries(bench) {
  const args = ['--query_threads=1', '--use_prepared_query', '--num_secondary_indexes=3'];
  const slow = ['--rows_per_commit=1', '--inserts_per_second=1'];
  return { rate: await runPython(bench, BIG_TABLE.name, [...args, ...slow], 't_qps') };
}

/** Its inserter and statement maker as in l.i0. */
export async function pythonInserts(bench) {
  emptyInsertTable(bench);
  const args = [`--rows_per_commit=${ROWS_PER_STATEMENT}`, '--query_threads=0'];
  return { rate: await runPython(bench, INSERT_TABLE.name, args, 't_ips') };
}

/** A row of rates with the column of the Python client, where that is asked for. */
export function withPython(bench, row, samples) {
  if (bench.python === null) return row;
  const rates = samples?.map(({ rate }) => rate) ?? null;
  const value = rates === null ? null : median(rates);
  return { ...row, python: { value, missing: bench.python.missing, samples: rates } };
}

/** Runs it for a slice; the last line of its reports has the rate since its start in the named column. */
async function runPython(bench, table, args, column) {
  const { python, file } = bench.python;
  const { host, port, dbname, user } = addressOf(bench.server.connect('bench/python').conninfo);
  const { stdout } = await runProgram(
    bench,
    python,
    [
      file,
      '--dbms=postgres',
      `--db_host=${host}`,
      `--db_name=${dbname}`,
      `--db_user=${user}`,
      `--table_name=${table}`,
      '--max_rows=1000000000',
      `--max_seconds=${bench.options.seconds.slice}`,
      '--secs_per_report=1',
      '--data_length_min=10',
      '--data_length_max=20',
      ...args,
    ],
    { env: { PGPORT: port } },
  );
  return readRate(stdout, column);
}

function addressOf(conninfo) {
  return Object.fromEntries([...conninfo.matchAll(/(\w+)='([^']*)'/g)].map(([, k, v]) => [k, v]));
}

function readRate(stdout, column) {
  const lines = stdout.split('\n').map((line) => line.split('\t'));
  const header = lines.find((cells) => cells.includes(column));
  const report = lines.findLast(
    (cells) => cells.length === header?.length && /^[\d.]+$/.test(cells[0]),
  );
  const rate = Number(report?.[header.indexOf(column)]);
  if (Number.isFinite(rate) && rate > 0) return rate;
  throw new RunError(`the Python client: expected reports with ${column}, got:\n${stdout}`);
}
