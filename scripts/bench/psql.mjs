import { findProgram, runProgram, runTimed } from './programs.mjs';
import { median } from './statistics.mjs';

/**
 * psql connected to the bench's server.
 *
 * @returns null when there is no psql on PATH
 */
export async function openPsql(bench) {
  const file = findProgram('psql');
  if (file === null) return null;
  const conninfo = bench.server.connect('bench/psql').conninfo;
  const run = (args) =>
    runTimed(bench, file, ['-X', '-q', '-v', 'ON_ERROR_STOP=1', ...args, '-d', conninfo]);
  const starts = [];
  for (let i = 0; i < 3; i++) starts.push(await run(['-o', '/dev/null', '-c', 'select 1']));
  const start = {
    wallS: median(starts.map(({ wallS }) => wallS)),
    cpuS: Math.min(...starts.map(({ cpuS }) => cpuS)),
  };
  const { stdout: version } = await runProgram(bench, file, ['--version']);
  return {
    version: version.trim(),
    /** Runs psql; seconds and cpuS are without those of a `select 1` (program start, connection). */
    run: async (args) => {
      const { wallS, cpuS } = await run(args);
      return { seconds: wallS - start.wallS, cpuS: cpuS - start.cpuS };
    },
  };
}
