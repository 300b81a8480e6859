import fs from 'node:fs';
import path from 'node:path';
import { cleanUpLeftovers, isRunning, markedRunDirectories } from '@ibench/host';
import { markCrashed, type Store, unfinishedRuns } from '@ibench/store';

/**
 * Cleans up after runners that were killed: stops their servers, removes their data, and marks their
 * runs as crashed. Servers are found wherever their run is kept; runs only in this store. Runs whose
 * runner still works are left alone.
 *
 * @returns a line for each thing that was done
 */
export async function cleanUp(store: Store, runsDirectory: string): Promise<string[]> {
  const crashed = unfinishedRuns(store).filter((run) => !isRunning(run.runnerPid, run.runnerStart));
  const directories = new Set([
    ...crashed.map((run) => run.directory),
    ...foldersIn(runsDirectory),
    ...markedRunDirectories(),
  ]);
  const lines: string[] = [];
  const leftovers = await cleanUpLeftovers([...directories], (text) => lines.push(text));
  for (const { runDirectory, stoppedPid } of leftovers) {
    const run = path.basename(runDirectory);
    const server = stoppedPid === null ? '' : `its server (pid ${stoppedPid}) is stopped, `;
    lines.push(`run ${run} was left behind by a runner that is gone: ${server}its data is removed`);
  }
  for (const run of crashed) {
    const message = `the runner (pid ${run.runnerPid}) ended without finishing the run`;
    markCrashed(store, run.runKey, message, new Date().toISOString());
    lines.push(`run ${run.runId} is marked as crashed`);
  }
  return lines;
}

function foldersIn(directory: string): string[] {
  if (!fs.existsSync(directory)) return [];
  return fs
    .readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(directory, entry.name));
}
