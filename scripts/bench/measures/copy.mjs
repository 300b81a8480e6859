import fs from 'node:fs';
import path from 'node:path';
import { BIG_TABLE, emptyInsertTable, INSERT_TABLE } from '../bench-server.mjs';
import { playRounds } from '../rounds.mjs';
import { ratioRow } from '../row.mjs';
import { insert } from './inserts.mjs';

/** Rows in one COPY of ibench, and in psql's file of a batch; the most that a workload allows. */
const BATCH = 10_000;
const COLUMNS = 'dateandtime, cashregisterid, customerid, productid, price, data';
const FORMATS = ['binary', 'text'];

/** The copy method in both formats against psql: the same batches, and everything in one COPY. */
export async function measureCopy(bench) {
  const warm = await copyOurs(bench, 'binary');
  const batches = Math.max(1, Math.round((warm.rate * bench.options.seconds.slice) / BATCH));
  const contestants = {};
  for (const format of FORMATS) {
    contestants[`ibench ${format}`] = () => copyOurs(bench, format);
    if (bench.psql === null) continue;
    const files = await writeFiles(bench, format, batches);
    contestants[`one ${format}`] = () => copyTheirs(bench, format, [files.all], batches);
    contestants[`batches ${format}`] = () =>
      copyTheirs(bench, format, Array(batches).fill(files.batch), batches);
  }
  const samples = await playRounds(bench, 'copy', contestants);
  const rates = (name) => samples[name]?.map(({ rate }) => rate);
  return FORMATS.flatMap((format) =>
    [
      ['one', 'psql \\copy, all rows in one'],
      ['batches', 'psql \\copy, the same batches'],
    ].map(([kind, name]) => {
      const theirs = rates(`${kind} ${format}`);
      return ratioRow({
        what: `copy rows/s, ${format}${kind === 'one' ? '' : ', batch by batch'}`,
        unit: '1/s',
        ours: rates(`ibench ${format}`),
        peer: theirs ? { name, samples: theirs } : { name, missing: 'psql is not on PATH' },
        target: { atLeast: 0.9 },
        note:
          theirs && `ibench commits every ${BATCH} rows; psql loads ${batches * BATCH} from a file`,
      });
    }),
  );
}

function copyOurs(bench, format) {
  return insert(bench, {
    insert_method: 'copy',
    copy_format: format,
    l_i0_rows_per_commit: BATCH,
  });
}

/** psql copies the files one after the other on one connection. */
async function copyTheirs(bench, format, files, batches) {
  emptyInsertTable(bench);
  const commands = files.flatMap((file) => [
    '-c',
    `\\copy ${INSERT_TABLE.name} (${COLUMNS}) from '${file}' with (format ${format})`,
  ]);
  const { seconds, cpuS } = await bench.psql.run(commands);
  const rows = batches * BATCH;
  return { rate: rows / seconds, cpuUs: (cpuS / rows) * 1e6 };
}

/** Signature, flags and extension length in front of a binary COPY, and the trailer behind it. */
const BINARY_HEADER = 19;
const BINARY_TRAILER = 2;

/** Rows of the big table as files: one batch, and as many of it in one file as ibench loads. */
async function writeFiles(bench, format, batches) {
  const batch = path.join(bench.directory, `batch.${format}`);
  const all = path.join(bench.directory, `all.${format}`);
  await bench.psql.run([
    '-c',
    `\\copy (select ${COLUMNS} from ${BIG_TABLE.name} limit ${BATCH}) to '${batch}' with (format ${format})`,
  ]);
  const bytes = fs.readFileSync(batch);
  const [from, to] =
    format === 'binary' ? [BINARY_HEADER, bytes.length - BINARY_TRAILER] : [0, bytes.length];
  fs.writeFileSync(all, bytes.subarray(0, from));
  for (let i = 0; i < batches; i++) fs.appendFileSync(all, bytes.subarray(from, to));
  fs.appendFileSync(all, bytes.subarray(to));
  return { batch, all };
}
