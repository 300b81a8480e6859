import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { describeMachine } from './machine.mjs';
import { spread } from './statistics.mjs';

const HELP = `npm run bench:sampling -- [--rounds N] [options of ibench run]

What it costs to sample the server: whole runs with --activity-interval 1 and 0 take turns, and the ratio of
their throughput is printed for each step and over all, with what the server spent on the answers. Default: 5 rounds of the preset tiny with read-write steps of 20 s.
`;

const CLI = fileURLToPath(new URL('../../packages/cli/bin/ibench.js', import.meta.url));
const DEFAULTS = ['--preset', 'tiny', '--set', 'read_write_seconds=20'];

/** One whole run: throughput by step, and what the sampling says of itself. */
function measure(runsDirectory, tag, interval, more) {
  const args = ['run', '--runs-dir', runsDirectory, '--tag', tag, ...more];
  call([...args, '--activity-interval', String(interval)]);
  const shown = ['table', '--runs-dir', runsDirectory, '--run', tag, '--format', 'json'];
  const [summary] = JSON.parse(call([...shown, '--table', 'summary']));
  const costs = interval === 0 ? [] : JSON.parse(call([...shown, '--table', 'sampling']));
  return {
    rates: summary.rows[0].values,
    costs: costs.flatMap(({ rows }) => rows.map(({ values }) => values)),
  };
}

function call(args) {
  const stdio = ['ignore', 'pipe', 'inherit'];
  const { status, stdout } = spawnSync(process.execPath, [CLI, ...args], {
    stdio,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`ibench ${args.join(' ')} ended with exit code ${status}`);
  return stdout;
}

/** Which goes first alternates too: what a first run leaves to the second is shared out. */
function rounds(count, directory, more) {
  return Array.from({ length: count }, (_, i) => {
    const order = i % 2 === 0 ? [1, 0] : [0, 1];
    const runs = {};
    for (const interval of order) {
      runs[interval] = measure(directory, `round${i + 1}-${interval}`, interval, more);
    }
    return runs;
  });
}

/** Geometric mean of ratios, and how far it is off by chance: one standard error, as a factor less one. */
function overAll(ratios) {
  const logs = ratios.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  const error = Math.sqrt(squares / (logs.length - 1) / logs.length);
  return `${Math.exp(mean).toFixed(3)} ± ${(Math.exp(error) - 1).toFixed(3)}`;
}

/** What the server's process that answers spent, by kind of question: CPU for each sample. */
function ownCosts(costs) {
  const kinds = [...new Set(costs.map(({ what }) => what))];
  return kinds.map((what) => {
    const rows = costs.filter((row) => row.what === what);
    const sum = (name) => rows.reduce((total, row) => total + (row[name] ?? 0), 0);
    const ms = (1000 * sum('backend_cpu_s')) / sum('samples');
    return `${what}: ${sum('samples')} samples, ${ms.toFixed(2)} ms of server CPU each`;
  });
}

function main(args) {
  const { values, tokens } = parseArgs({
    args,
    strict: false,
    tokens: true,
    options: { rounds: { type: 'string', default: '5' }, help: { type: 'boolean' } },
  });
  if (values.help) return process.stdout.write(HELP);
  const own = tokens.find(({ name }) => name === 'rounds');
  const more = own === undefined ? args : args.toSpliced(own.index, own.inlineValue ? 1 : 2);
  const machine = describeMachine();
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-sampling-'));
  fs.chmodSync(directory, 0o755);
  try {
    const all = rounds(Number(values.rounds), directory, more.length === 0 ? DEFAULTS : more);
    const steps = Object.keys(all[0][1].rates).filter((name) => /^(l\.i|q)[^_]*$/.test(name));
    console.log(
      `${machine.cpu}, ${machine.cores} cores; load average ${machine.loadBefore} before`,
    );
    const ratiosOf = (step) => all.map((runs) => runs[1].rates[step] / runs[0].rates[step]);
    for (const step of steps) {
      const { median, min, max } = spread(ratiosOf(step));
      const [ratio, from, to] = [median, min, max].map((value) => value.toFixed(3));
      console.log(`${step.padEnd(7)} sampled / not: ${ratio}  (${from} … ${to})`);
    }
    console.log(
      `all     sampled / not: ${overAll(steps.flatMap(ratiosOf).filter(Number.isFinite))} (standard error)`,
    );
    for (const line of ownCosts(all.flatMap((runs) => runs[1].costs))) console.log(line);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv.slice(2));
