import fs from 'node:fs';
import path from 'node:path';
import { planSteps, RunError, type StepPlan, type Workload } from '@ibench/core';
import type { DatabaseServer, ServerUser } from '@ibench/host';
import { finishRun } from '@ibench/store';
import { connectionsNeeded } from '../connections.ts';
import { openRunLog } from '../logger.ts';
import { clientEntry } from '../paths.ts';
import { type AfterSteps, workFromBranch } from './branch.ts';
import { type CanaryTaker, canaryTaker } from './canary.ts';
import type { RunContext } from './context.ts';
import { checkReserve } from './disk-reserve.ts';
import { guarded, messageOf } from './failure.ts';
import { openObservers } from './observers.ts';
import { openServer } from './open-server.ts';
import { openProfiler } from './profiler.ts';
import { recordProvenance, recordRun } from './record-run.ts';
import { type Release, withReleasers } from './releasers.ts';
import { createRunFolder, type RunFolder } from './run-folder.ts';
import { type RunLog, tolerantLog } from './run-log.ts';
import type { RunOptions, RunWorld } from './run-options.ts';
import { isInterrupted, runSteps, type StepRange } from './run-steps.ts';
import { stopServer } from './stop-server.ts';

/** How a run ended. */
export interface RunOutcome {
  readonly runId: string;
  readonly directory: string;
  readonly status: 'done' | 'failed' | 'interrupted';
  readonly error: unknown;
}

/**
 * Runs the benchmark once: server, steps, store. Whatever happens, a server of ours is stopped, nothing
 * of ours is left running, and the store says how it ended.
 */
export async function runBenchmark(options: RunOptions, world: RunWorld): Promise<RunOutcome> {
  const plan = planSteps(options.workload.workload);
  const folder = createRunFolder(options.runsDirectory, new Date(), userOf(options));
  const log = tolerantLog(openRunLog(folder.directory));
  const runKey = recordRun(options, world, folder);
  log.info({ runId: folder.runId, tag: options.tag }, 'run starts');
  let error: unknown = null;
  const canary = chooseCanary(options, world, { folder, log, runKey });
  try {
    await canary?.take('before');
    await work({ options, world, folder, log, runKey, plan, canary });
    await canary?.take('after');
    canary?.judge();
  } catch (caught) {
    error = caught;
  }
  const status = error === null ? 'done' : isInterrupted(error) ? 'interrupted' : 'failed';
  const message = error === null ? null : messageOf(error);
  log.info({ status, err: error }, 'run ends');
  try {
    finishRun(world.store, runKey, { status, message, finishedAt: new Date().toISOString() });
  } catch (unmarked) {
    // A run that failed because the store cannot be written says so already.
    if (status === 'done') throw unmarked;
    world.progress.line(
      `the store could not be told that the run ${status}: ${messageOf(unmarked)}`,
    );
  }
  return { ...folder, status, error };
}

/** The canary of this host: of the file system of the data, or of the run's folder where the server is not ours. */
function chooseCanary(
  { canary, server }: RunOptions,
  { store, signal, progress }: RunWorld,
  { folder, log, runKey }: Pick<Work, 'folder' | 'log' | 'runKey'>,
): CanaryTaker | null {
  if (canary === 'off') return null;
  const { dataDirectory = null } = server.kind === 'own' ? server : {};
  const directory = existing(dataDirectory ?? folder.directory);
  return canaryTaker({ store, runKey, directory, signal, log, progress });
}

/** Who has to pass through the run's folder beside us. */
function userOf({ server }: RunOptions): ServerUser | null {
  return server.kind === 'own' ? server.user : null;
}

interface Work {
  readonly options: RunOptions;
  readonly world: RunWorld;
  readonly folder: RunFolder;
  readonly log: RunLog;
  readonly runKey: number;
  readonly plan: readonly StepPlan[];
  readonly canary: CanaryTaker | null;
}

function work(all: Work): Promise<void> {
  const { options, plan } = all;
  const start = (range: StepRange, source: string | null, then?: AfterSteps): Promise<void> =>
    withReleasers((release) => workOn(all, { range, source, then }, release));
  if (options.branch === null) return start({ before: [], steps: plan }, null);
  return workFromBranch(all, options.branch, start);
}

/** What one server of the run is to do. */
interface Part {
  readonly range: StepRange;
  /** Data to start from a copy of; null: a new database. */
  readonly source: string | null;
  readonly then?: AfterSteps | undefined;
}

async function workOn(all: Work, { range, source, then }: Part, release: Release): Promise<void> {
  const { options, world, folder, log, runKey, canary } = all;
  let isDone = false;
  const server = await acquireServer(all, source);
  release(() => stopServer(server, { hurry: !isDone, log, progress: world.progress }));
  const guard = { server, signal: world.signal };
  const { workload } = options.workload;
  const found = await guarded(server.host.findDevices(), guard);
  for (const warning of options.devices.length > 0 ? [] : found.warnings) {
    world.progress.line(warning);
    log.warn({}, warning);
  }
  const context: RunContext = {
    runId: folder.runId,
    runKey,
    workload,
    server,
    store: world.store,
    directory: folder.directory,
    clientEntry: clientEntry(),
    devices: options.devices.length > 0 ? options.devices : found.devices,
    pin: options.pin,
    observers: await guarded(
      openObservers(server, folder.runId, options.activityIntervalS, release),
      guard,
    ),
    limits: options.limits,
    canary: options.canary === 'each-step' ? canary : null,
    profiler: await guarded(
      openProfiler(options.profile, { ...guard, runId: folder.runId }),
      guard,
    ),
    log,
    progress: world.progress,
    signal: world.signal,
  };
  await guarded(recordProvenance(context, options), guard);
  checkConnections(server, workload);
  await runSteps(context, range);
  isDone = true;
  await then?.(server);
}

/** A Ctrl-C in the terminal also reaches the programs that make the data: their failure is the user's will. */
async function acquireServer(
  { options, world, folder, log }: Work,
  source: string | null,
): Promise<DatabaseServer> {
  const { progress, signal } = world;
  const { dataDirectory = null } = options.server.kind === 'own' ? options.server : {};
  const places = [folder.directory, ...(dataDirectory === null ? [] : [existing(dataDirectory)])];
  checkReserve(places, options.limits.diskReserve);
  try {
    const say = (text: string): void => {
      progress.line(text);
      log.info({}, text);
    };
    return await openServer({ ...options, source }, folder, { say, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Of a directory that is yet to be made, what it will be made in. */
function existing(directory: string): string {
  return fs.existsSync(directory) ? directory : existing(path.dirname(directory));
}

function checkConnections(server: DatabaseServer, workload: Workload): void {
  const needed = connectionsNeeded(workload);
  if (needed <= server.maxConnections) return;
  throw new RunError(
    `the workload needs ${needed} connections, the server has room for ${server.maxConnections}: raise max_connections of the server by ${needed - server.maxConnections}`,
  );
}
