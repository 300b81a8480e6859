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
their throughput is printed for each step. Default: 5 rounds of the preset tiny with read-write steps of 20 s.
`;

const CLI = fileURLToPath(new URL('../../packages/cli/bin/ibench.js', import.meta.url));
const DEFAULTS = ['--preset', 'tiny', '--set', 'read_write_seconds=20'];

/** Throughput by step of one whole run. */
function measure(runsDirectory, tag, interval, more) {
  const args = ['run', '--runs-dir', runsDirectory, '--tag', tag, ...more];
  call([...args, '--activity-interval', String(interval)]);
  const shown = ['table', '--runs-dir', runsDirectory, '--run', tag, '--table', 'summary'];
  const [summary] = JSON.parse(call([...shown, '--format', 'json']));
  return summary.rows[0].values;
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
    const rates = {};
    for (const interval of order) {
      rates[interval] = measure(directory, `round${i + 1}-${interval}`, interval, more);
    }
    return rates;
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
    const steps = Object.keys(all[0][1]).filter((name) => /^(l\.i|q)[^_]*$/.test(name));
    console.log(
      `${machine.cpu}, ${machine.cores} cores; load average ${machine.loadBefore} before`,
    );
    for (const step of steps) {
      const { median, min, max } = spread(all.map((rates) => rates[1][step] / rates[0][step]));
      const [ratio, from, to] = [median, min, max].map((value) => value.toFixed(3));
      console.log(`${step.padEnd(7)} sampled / not: ${ratio}  (${from} … ${to})`);
    }
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv.slice(2));
