import os from 'node:os';
import { BIG_TABLE } from '../bench-server.mjs';
import { parseWorkload, postgresDialect } from '../ibench.mjs';
import { writeScript } from '../pgbench.mjs';
import { pythonQueries, withPython } from '../python.mjs';
import { playRounds } from '../rounds.mjs';
import { missingRow, ratioRow } from '../row.mjs';
import { runWorkers } from '../workers.mjs';

/** Range queries: rate and client CPU, sleeping and spinning, against pgbench. */
export async function measureRange(bench) {
  const scripts = rangeScripts(bench);
  const spins = os.availableParallelism() > 1;
  const samples = await playRounds(bench, 'range queries', {
    ibench: () => query(bench, { step: 'qr100' }),
    ...(spins ? { spin: () => query(bench, { step: 'qr100', spin: true }) } : {}),
    ...(bench.pgbench ? { pgbench: () => pgbenchQuery(bench, { scripts }) } : {}),
    ...(bench.python?.missing === null ? { python: () => pythonQueries(bench) } : {}),
  });
  const peer = peerOf(samples.pgbench);
  const rate = {
    what: 'range queries/s',
    unit: '1/s',
    target: { atLeast: 0.95 },
    ours: rates(samples.ibench),
    peer: peer('rate'),
  };
  const cpu = {
    what: 'client CPU per range query',
    unit: 'µs',
    target: { atMost: 1.15 },
    ours: samples.ibench.map(({ cpuUs }) => cpuUs),
    peer: peer('cpuUs'),
    note: 'pgbench: without the CPU of its start and connection (measured apart)',
  };
  return [
    withPython(bench, ratioRow(rate), samples.python),
    ratioRow(cpu),
    spins ? spinRow(samples, peer) : noSpinRow(),
  ];
}

const SPIN = { what: 'range queries/s, --spin', unit: '1/s', target: { atLeast: 1.5 } };

function spinRow(samples, peer) {
  return ratioRow({
    ...SPIN,
    ours: rates(samples.spin),
    peer: peer('rate'),
    note: `the client polls and needs a core to spare: ${os.availableParallelism()} cores here`,
  });
}

function noSpinRow() {
  return missingRow({ ...SPIN, note: 'not measured: one core, none to spare for polling' });
}

/** Point queries against pgbench. */
export async function measurePoint(bench) {
  const script = pointScript(bench);
  const ids = postgresDialect;
  const define = {
    lo: bench.admin.number(ids.minId(BIG_TABLE.name)),
    hi: bench.admin.number(ids.maxId(BIG_TABLE.name)),
  };
  const samples = await playRounds(bench, 'point queries', {
    ibench: () => query(bench, { step: 'qp100' }),
    ...(bench.pgbench ? { pgbench: () => pgbenchQuery(bench, { scripts: [script], define }) } : {}),
  });
  const row = {
    what: 'point queries/s',
    unit: '1/s',
    target: { atLeast: 0.95 },
    note: 'ten ids; every 100 queries ibench also reads the largest id',
  };
  const peer = peerOf(samples.pgbench)('rate');
  return [ratioRow({ ...row, ours: rates(samples.ibench), peer })];
}

async function query(bench, wish) {
  const { warmup, slice } = bench.options.seconds;
  const { query: done } = await runWorkers(bench, {
    ...wish,
    client: BIG_TABLE.client,
    roles: ['query'],
    warmup,
    seconds: slice,
  });
  return { rate: done.operations / done.seconds, cpuUs: (done.cpuS / done.operations) * 1e6 };
}

async function pgbenchQuery(bench, { scripts, define }) {
  const seconds = bench.options.seconds.slice;
  const done = await bench.pgbench.run({ mode: 'prepared', scripts, define, seconds });
  return { rate: done.rate, cpuUs: (done.cpuS / done.transactions) * 1e6 };
}

/** The workload's three queries, word for word, each as a script. */
function rangeScripts(bench) {
  const queries = postgresDialect.rangeQueries(BIG_TABLE.name, parseWorkload({}, 'bench'));
  return queries.map(({ name, parts, domain }) =>
    writeScript(bench, `${name}.sql`, `\\set x random(0, ${domain - 1})\n${parts.join(':x')};\n`),
  );
}

function pointScript(bench) {
  const { parts } = postgresDialect.pointQuery(BIG_TABLE.name);
  const names = parts.slice(1).map((_, i) => `id${i}`);
  const sets = names.map((name) => `\\set ${name} random(:lo, :hi)\n`).join('');
  const sql = parts.reduce((text, part, i) => `${text}:${names[i - 1]}${part}`);
  return writeScript(bench, 'point.sql', `${sets}${sql};\n`);
}

function rates(samples) {
  return samples.map(({ rate }) => rate);
}

/** pgbench's samples of one figure as a row's peer. */
function peerOf(samples) {
  return (figure) =>
    samples === undefined
      ? { name: 'pgbench', missing: 'pgbench is not on PATH' }
      : { name: 'pgbench', samples: samples.map((sample) => sample[figure]) };
}
