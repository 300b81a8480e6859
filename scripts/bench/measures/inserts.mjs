import { emptyInsertTable, INSERT_TABLE } from '../bench-server.mjs';
import { runHarness } from '../harness.mjs';
import { pythonInserts, withPython } from '../python.mjs';
import { playRounds } from '../rounds.mjs';
import { ratioRow } from '../row.mjs';
import { ROWS_PER_STATEMENT, STATEMENTS, writeStatements } from '../statements.mjs';
import { median } from '../statistics.mjs';
import { runWorkers } from '../workers.mjs';

/** l.i0: rate against the faster of two programs that replay statements, CPU against only sending them. */
export async function measureInserts(bench) {
  const file = writeStatements(bench);
  const { rate: warm } = await insert(bench, { insert_method: 'values' });
  const samples = await playRounds(bench, 'l.i0', {
    ibench: () => insert(bench, { insert_method: 'values' }),
    ...(bench.pgbench ? { pgbench: () => replayWithPgbench(bench, file) } : {}),
    ...(bench.psql ? { psql: () => replayWithPsql(bench, file, warm) } : {}),
    send: () => onlySend(bench, file),
    ...(bench.python?.missing === null ? { python: () => pythonInserts(bench) } : {}),
  });
  const figure = (name, key) => samples[name].map((sample) => sample[key]);
  const rate = ratioRow({
    what: 'l.i0 rows/s, values, 100 rows per statement',
    unit: '1/s',
    ours: figure('ibench', 'rate'),
    target: { atLeast: 0.95 },
    ...fasterPeer(samples),
  });
  const cpu = ratioRow({
    what: 'client CPU per inserted row, l.i0',
    unit: 'µs',
    ours: figure('ibench', 'cpuUs'),
    peer: { name: 'only sending the text', samples: figure('send', 'cpuUs') },
    target: { atMost: 1.5 },
    note: `inserter and pacer together, of which the pacer ${median(figure('ibench', 'pacerCpuUs')).toFixed(3)} µs; only sending reached ${Math.round(median(figure('send', 'rate')))} rows/s`,
  });
  return [withPython(bench, rate, samples.python), cpu];
}

/** The faster of the programs there are, by the median. */
function fasterPeer(samples) {
  const peers = [
    { name: 'pgbench -M simple', samples: samples.pgbench?.map(({ rate }) => rate) },
    { name: 'psql -f', samples: samples.psql?.map(({ rate }) => rate) },
  ].filter((peer) => peer.samples !== undefined);
  peers.sort((a, b) => median(b.samples) - median(a.samples));
  const [first, second] = peers;
  if (first === undefined) {
    return { peer: { name: 'pgbench, psql', missing: 'neither pgbench nor psql is on PATH' } };
  }
  const note =
    second === undefined
      ? 'the other of pgbench and psql is not on PATH'
      : `the faster of two: ${second.name} reached ${Math.round(median(second.samples))} rows/s`;
  return { peer: first, note };
}

/**
 * One insert worker and its pacer on the empty table.
 *
 * @param workload how it differs from the default
 * @returns rate: rows/s; cpuUs: CPU per row of both processes; pacerCpuUs: of the pacer alone
 */
export async function insert(bench, workload) {
  emptyInsertTable(bench);
  const { warmup, slice } = bench.options.seconds;
  const done = await runWorkers(bench, {
    step: 'l.i0',
    client: INSERT_TABLE.client,
    roles: ['pace', 'insert'],
    warmup,
    seconds: slice,
    workload,
  });
  const { rows, seconds } = done.insert;
  return {
    rate: rows / seconds,
    cpuUs: ((done.insert.cpuS + done.pace.cpuS) / rows) * 1e6,
    pacerCpuUs: (done.pace.cpuS / rows) * 1e6,
  };
}

async function replayWithPgbench(bench, file) {
  emptyInsertTable(bench);
  const seconds = bench.options.seconds.slice;
  const done = await bench.pgbench.run({ mode: 'simple', scripts: [file], seconds });
  const rows = ROWS_PER_STATEMENT * STATEMENTS;
  return { rate: done.rate * rows, cpuUs: (done.cpuS / (done.transactions * rows)) * 1e6 };
}

/** psql has no deadline: the file is given as often as its rows fit into the time at ibench's rate. */
async function replayWithPsql(bench, file, ourRate) {
  emptyInsertTable(bench);
  const inFile = ROWS_PER_STATEMENT * STATEMENTS;
  const times = Math.max(1, Math.round((ourRate * bench.options.seconds.slice) / inFile));
  const { seconds, cpuS } = await bench.psql.run(Array(times).fill(['-f', file]).flat());
  const rows = inFile * times;
  return { rate: rows / seconds, cpuUs: (cpuS / rows) * 1e6 };
}

async function onlySend(bench, file) {
  emptyInsertTable(bench);
  const { warmup, slice } = bench.options.seconds;
  const { statements, seconds, cpuS } = await runHarness(
    bench,
    new URL('../harness/send-text.mjs', import.meta.url),
    {
      connect: bench.server.connect('bench/send'),
      file,
      warmup,
      seconds: slice,
    },
  );
  const rows = statements * ROWS_PER_STATEMENT;
  return { rate: rows / seconds, cpuUs: (cpuS / rows) * 1e6 };
}
