// Compares the load generator with pgbench and psql, side by side on one server; see --help and
// docs/PERFORMANCE.md.
import fs from 'node:fs';
import {
  BIG_TABLE,
  finishBigTable,
  makeDirectory,
  openAdmin,
  openServer,
  SETTINGS,
} from './bench-server.mjs';
import { UsageError, withReleasers } from './ibench.mjs';
import { listenForSignals } from './interrupt.mjs';
import { describeMachine, readCpuTicks, stealPercent } from './machine.mjs';
import { measureCopy } from './measures/copy.mjs';
import { measureInserts } from './measures/inserts.mjs';
import { measureMemory } from './measures/memory.mjs';
import { measureMethods } from './measures/methods.mjs';
import { measurePacer } from './measures/pacer.mjs';
import { measurePauses } from './measures/pauses.mjs';
import { measurePoint, measureRange } from './measures/queries.mjs';
import { measureSchedule } from './measures/schedule.mjs';
import { measureStart } from './measures/start.mjs';
import { HELP, readOptions } from './options.mjs';
import { openPgbench } from './pgbench.mjs';
import { openPsql } from './psql.mjs';
import { openPython } from './python.mjs';
import { renderResult } from './table.mjs';
import { runWorkers } from './workers.mjs';

/** Groups of rows in the order they are measured: what changes the big table comes last. */
const GROUPS = {
  range: measureRange,
  point: measurePoint,
  inserts: measureInserts,
  copy: measureCopy,
  pauses: measurePauses,
  schedule: measureSchedule,
  start: measureStart,
  pacer: measurePacer,
  memory: measureMemory,
};
/** It has a table of its own. */
const METHODS = 'methods';

process.exitCode = await main();

async function main() {
  const signal = listenForSignals(say);
  try {
    const groups = [...Object.keys(GROUPS), METHODS];
    const options = readOptions(process.argv.slice(2), groups);
    if (options.help) {
      process.stdout.write(HELP.replace('GROUPS', groups.join(', ')));
      return 0;
    }
    const result = await withReleasers((release) => measure({ options, signal, say }, release));
    if (options.json !== null)
      fs.writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
    process.stdout.write(`${renderResult(result)}\n`);
    return 0;
  } catch (error) {
    say(error instanceof UsageError || signal.aborted ? error.message : error.stack);
    return signal.aborted ? 130 : error instanceof UsageError ? 2 : 1;
  }
}

async function measure(world, release) {
  const machine = describeMachine();
  const directory = makeDirectory(release);
  const bench = { ...world, directory };
  bench.server = await openServer(bench, release);
  bench.admin = openAdmin(bench.server, release);
  await fillBigTable(bench);
  bench.pgbench = await openPgbench(bench);
  bench.psql = await openPsql(bench);
  bench.python = await openPython(bench);
  const before = readCpuTicks();
  const rows = await measureRows(bench);
  const methods = bench.options.only.includes(METHODS) ? await measureMethods(bench) : [];
  return {
    at: new Date().toISOString(),
    short: bench.options.short,
    rounds: bench.options.rounds,
    seconds: bench.options.seconds,
    machine,
    server: bench.server.version,
    settings: SETTINGS,
    programs: {
      pgbench: bench.pgbench?.version ?? null,
      psql: bench.psql?.version ?? null,
      python: bench.python?.file ?? null,
    },
    stealPercent: stealPercent(before, readCpuTicks()),
    rows,
    methods,
  };
}

/** Loads 500,000 rows with the tool's own inserter, through COPY; then indexes, vacuum, checkpoint. */
async function fillBigTable(bench) {
  bench.say(`loading ${BIG_TABLE.rows} rows`);
  const workload = { insert_method: 'copy', l_i0_rows_per_commit: 10_000, rows: BIG_TABLE.rows };
  const { client } = BIG_TABLE;
  await runWorkers(bench, { step: 'l.i0', client, roles: ['pace', 'insert'], workload });
  await finishBigTable(bench);
}

async function measureRows(bench) {
  const rows = [];
  for (const [group, run] of Object.entries(GROUPS)) {
    if (!bench.options.only.includes(group)) continue;
    const before = readCpuTicks();
    const measured = await run(bench);
    const steal = stealPercent(before, readCpuTicks());
    rows.push(...measured.map((row) => ({ group, ...row, stealPercent: steal })));
  }
  return rows;
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
