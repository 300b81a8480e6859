import fs from 'node:fs';
import path from 'node:path';
import {
  cleanUpLeftovers,
  findAbandoned,
  isRunning,
  type KeptData,
  markedRunDirectories,
  readFolder,
  removeKept,
} from '@ibench/host';
import {
  endPlan,
  listPlans,
  listRuns,
  markCrashed,
  type Store,
  unfinishedRuns,
} from '@ibench/store';
import { isOwned } from './plan-owner.ts';
import { PERF_DATA } from './step-profile.ts';

/**
 * Cleans up after runners that were killed: stops their servers, removes their data, and marks their
 * runs and plans as crashed. Servers are found wherever their run is kept; runs only in this store. Runs whose
 * runner still works are left alone.
 *
 * @param spare is asked whether kept data may stay
 * @returns a line for each thing that was done
 */
export async function cleanUp(
  store: Store,
  runsDirectory: string,
  spare: (kept: KeptData) => boolean = () => false,
): Promise<string[]> {
  const crashed = unfinishedRuns(store).filter((run) => !isRunning(run.runnerPid, run.runnerStart));
  const directories = new Set([
    ...crashed.map((run) => run.directory),
    ...foldersIn(runsDirectory),
    ...listRuns(store).map((run) => run.directory),
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
    removePerfData(run.directory);
    const message = `the runner (pid ${run.runnerPid}) ended without finishing the run`;
    markCrashed(store, run.runKey, message, new Date().toISOString());
    lines.push(`run ${run.runId} is marked as crashed`);
  }
  lines.push(...removeAbandoned([...directories], spare), ...markPlans(store));
  return lines;
}

/** A profile that was under way: perf itself has ended with its window, or with the server. */
function removePerfData(runDirectory: string): void {
  for (const step of foldersIn(runDirectory))
    fs.rmSync(path.join(step, PERF_DATA), { force: true });
}

function removeAbandoned(
  directories: readonly string[],
  spare: (kept: KeptData) => boolean,
): string[] {
  const lines: string[] = [];
  for (const found of findAbandoned(directories, (text) => lines.push(text))) {
    if (found.kept !== null && spare(found.kept)) continue;
    removeKept(found);
    lines.push(`${found.dataDirectory}: data that a plan had kept is removed`);
  }
  return lines;
}

function markPlans(store: Store): string[] {
  const crashed = listPlans(store).filter((plan) => plan.status === 'running' && !isOwned(plan));
  return crashed.map(({ planKey, name, runnerPid }) => {
    const message = `the runner (pid ${runnerPid}) ended without finishing the plan`;
    endPlan(store, planKey, { status: 'crashed', message, finishedAt: new Date().toISOString() });
    return `plan ${name} is marked as crashed`;
  });
}

function foldersIn(directory: string): string[] {
  return readFolder('the folder', directory)
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(directory, entry.name));
}
