// Compares the load generator with pgbench and psql, side by side on one server; see --help and
// docs/PERFORMANCE.md.
import fs from 'node:fs';
import { SETTINGS } from './bench-server.mjs';
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
import { withBench } from './open-bench.mjs';
import { openPgbench } from './pgbench.mjs';
import { openPsql } from './psql.mjs';
import { openPython } from './python.mjs';
import { renderResult } from './table.mjs';

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

const machine = describeMachine();
process.exitCode = await withBench(
  process.argv.slice(2),
  async (bench) => {
    const result = await measure(bench);
    const { json } = bench.options;
    if (json !== null) fs.writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`);
    process.stdout.write(`${renderResult(result)}\n`);
  },
  [...Object.keys(GROUPS), METHODS],
);

async function measure(bench) {
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
    settings: Object.entries(SETTINGS).map(([name, value]) => `${name} = ${value}`),
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
