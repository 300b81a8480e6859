import fs from 'node:fs';
import path from 'node:path';
import { RunError } from './ibench.mjs';
import { findProgram, runProgram, runTimed } from './programs.mjs';

/**
 * pgbench with one connection to the bench's server.
 *
 * @returns null when there is no pgbench on PATH
 */
export async function openPgbench(bench) {
  const file = findProgram('pgbench');
  if (file === null) return null;
  const conninfo = bench.server.connect('bench/pgbench').conninfo;
  const run = async (args) => {
    const timed = await runTimed(bench, file, ['-n', '-c', '1', ...args, conninfo]);
    return { ...timed, ...readResult(timed.stdout) };
  };
  const one = writeScript(bench, 'one.sql', 'select 1;\n');
  const starts = [];
  for (let i = 0; i < 3; i++) starts.push((await run(['-t', '1', '-f', one])).cpuS);
  const startCpuS = Math.min(...starts);
  const { stdout: version } = await runProgram(bench, file, ['--version']);
  return {
    version: version.trim(),
    /**
     * Runs scripts, one of them at random each time.
     *
     * @param options mode of -M; scripts: files; seconds: whole; define: variables
     * @returns transactions; rate: per second without the connection time; cpuS without that of a run
     *   of a single `select 1` (program start, connection)
     */
    run: async ({ mode, scripts, seconds, define = {} }) => {
      const { transactions, rate, cpuS } = await run([
        ...['-M', mode, '-T', String(seconds)],
        ...scripts.flatMap((script) => ['-f', script]),
        ...Object.entries(define).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
      ]);
      return { transactions, rate, cpuS: cpuS - startCpuS };
    },
  };
}

/** Writes a script into the bench's directory; returns its name. */
export function writeScript(bench, name, text) {
  const file = path.join(bench.directory, name);
  fs.writeFileSync(file, text);
  return file;
}

function readResult(stdout) {
  const transactions = /number of transactions actually processed: (\d+)/.exec(stdout)?.[1];
  // since version 14 "without initial connection time", before it "excluding connections establishing"
  const rate = /tps = ([\d.]+) \((?:without|excluding)/.exec(stdout)?.[1];
  if (transactions === undefined || rate === undefined) {
    throw new RunError(`pgbench: expected transactions and tps, got:\n${stdout}`);
  }
  return { transactions: Number(transactions), rate: Number(rate) };
}
