import { fileURLToPath } from 'node:url';
import { WORKER_OPTIONS } from './ibench.mjs';
import { runProgram } from './programs.mjs';

/**
 * Runs one of the programs in harness/: a Node process with the options of a worker that measures by itself, gets its whole job as
 * one JSON argument and prints its result as JSON.
 *
 * @param fds more descriptors for it, from 3 on
 */
export async function runHarness(bench, url, job, fds = []) {
  const args = [...WORKER_OPTIONS, fileURLToPath(url), JSON.stringify(job)];
  const { stdout } = await runProgram(bench, process.execPath, args, { fds });
  return JSON.parse(stdout);
}
