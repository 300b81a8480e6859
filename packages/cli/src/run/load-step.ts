import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  makeJobs,
  postgresDialect,
  RunError,
  type StepPlan,
  type StepResult,
  tableNames,
} from '@ibench/core';
import { nameOf, StepMemoryFile } from '@ibench/host';
import { addSeconds } from '@ibench/store';
import { checkBackends } from './check-backends.ts';
import { recordDriverVersion } from './client-facts.ts';
import { applicationName, type RunContext } from './context.ts';
import { describeLoad } from './describe-load.ts';
import { guarded, StepFailure } from './failure.ts';
import { type LiveStep, logProcesses, processesOf } from './live-step.ts';
import { assemble, partialResults } from './load-result.ts';
import { type Measurement, openMeasurement } from './measurement.ts';
import { type Release, withReleasers } from './releasers.ts';
import { SecondsReader } from './seconds.ts';
import { stepProbe } from './step-probe.ts';
import { openProfile, type ProfileOfStep } from './step-profile.ts';
import { type StepWatch, watchStep } from './step-watch.ts';
import { endWorkers, releaseWorkers, startWorkers } from './workers.ts';

/** Time between `go` and the start that all workers wait for. */
const BARRIER_NS = 50e6;
/** How often the workers' seconds are read and kept. */
const POLL_MS = 500;
/** Time after the deadline after which statements that still run are cancelled. */
const CANCEL_AFTER_MS = 300;
/** Time after the deadline after which a worker that does not end is a failure. */
const GIVE_UP_AFTER_MS = 30_000;

/**
 * Runs a step of the load generator: l.i0, l.i1, l.i2 or a read-write step.
 *
 * @throws StepFailure with what was measured until then
 */
export function runLoadStep(
  context: RunContext,
  step: StepPlan,
  stepKey: number,
): Promise<StepResult> {
  const directory = path.join(context.directory, step.name);
  fs.mkdirSync(directory, { recursive: true });
  return withReleasers(async (release) => {
    const measurement = await openMeasurement(context, stepKey, directory);
    release(() => measurement.close());
    const live = startLive(context, step, stepKey, release);
    try {
      const expected = await connectAll(live);
      const watch = watchStep(context, expected, processesOf(live));
      release(() => watch.close());
      const tables = tableNames(context.workload);
      const before = await guarded(context.server.statistics(tables, []), context);
      const walStart = await guarded(context.server.walBytes(), context);
      const profile = openProfile(live);
      release(() => profile.close());
      await measure(live, measurement, watch, profile);
      const watched = await guarded(watch.end(), context);
      const walBytes = (await guarded(context.server.walBytes(), context)) - walStart;
      await measurement.close();
      await releaseWorkers(live.workers);
      const after = await guarded(context.server.statistics(tables, knownBackends(live)), context);
      const readings = await guarded(measurement.readings(), context);
      await profile.keep();
      return await guarded(assemble(live, readings, { walBytes, before, after, watched }), context);
    } catch (error) {
      keepWhatThereIs(live);
      const ownerOf = (pid: number): string | null => workerOf(live, pid);
      throw new StepFailure({ workers: partialResults(live) }, { cause: error, ownerOf });
    }
  });
}

function startLive(
  context: RunContext,
  step: StepPlan,
  stepKey: number,
  release: Release,
): LiveStep {
  const { server, runId, workload } = context;
  const jobs = makeJobs(step, workload, {
    parentPid: process.pid,
    dialect: postgresDialect,
    pin: context.pin,
    connect: (role, client, ordinal) =>
      server.connect(applicationName(runId, role, client, ordinal)),
  });
  const memory = new StepMemoryFile(jobs.length);
  release(() => memory.close());
  const log = path.join(context.directory, step.name, 'workers.log');
  const workers = startWorkers(jobs, memory, {
    entry: context.clientEntry,
    log,
    environment: server.workerEnvironment,
  });
  const live: LiveStep = {
    context,
    step,
    stepKey,
    jobs,
    memory,
    workers,
    backendPids: jobs.map(() => null),
    seconds: new SecondsReader(memory, jobs),
    done: jobs.map(() => null),
    startNs: 0,
  };
  release(() => endWorkers(workers, memory, () => server.cancel(knownBackends(live))));
  return live;
}

/** Whose backend it is; null: no worker's. */
function workerOf({ backendPids, jobs }: LiveStep, pid: number): string | null {
  const job = jobs[backendPids.indexOf(pid)];
  return job === undefined ? null : nameOf(job);
}

function knownBackends(live: LiveStep): number[] {
  return live.backendPids.filter((pid) => pid !== null);
}

/** Waits until all workers have connected, and checks that the server sees them: the names it gives. */
async function connectAll(live: LiveStep): Promise<string[]> {
  const { runId } = live.context;
  const ready = await guarded(
    Promise.all(live.workers.map((worker) => worker.ready)),
    live.context,
  );
  ready.forEach((message, i) => {
    live.backendPids[i] = message.backendPid;
  });
  const library = ready.find((message) => message.library !== null)?.library ?? null;
  if (library !== null) recordDriverVersion(live.context, library);
  const expected = live.jobs
    .filter((job) => job.role !== 'pace')
    .map((job) => applicationName(runId, job.role, job.client, job.ordinal));
  await guarded(checkBackends(live.context, live.stepKey, expected), live.context);
  logProcesses(live);
  return expected;
}

async function measure(
  live: LiveStep,
  measurement: Measurement,
  watch: StepWatch,
  profile: ProfileOfStep,
): Promise<void> {
  const { context, step, workers } = live;
  live.startNs = Number(process.hrtime.bigint()) + BARRIER_NS;
  const deadlineNs = step.seconds === null ? null : live.startNs + step.seconds * 1e9;
  for (const worker of workers) worker.go({ startNs: live.startNs, deadlineNs });
  await sleepUntilNs(live.startNs);
  await measurement.start(live.startNs, watch, stepProbe(live));
  profile.start();
  const all = Promise.all(
    workers.map(async (worker, i) => {
      live.done[i] = await worker.done;
    }),
  );
  const over = new AbortController();
  try {
    await guarded(
      Promise.race([
        all,
        poll(live, over.signal),
        endAtDeadline(live, deadlineNs, over.signal),
        measurement.failed,
        watch.failed,
      ]),
      context,
    );
    await measurement.end();
    await profile.stop();
  } finally {
    over.abort();
  }
  saveSeconds(live, elapsedS(live) + 1, true);
  const faults = live.seconds.faults();
  if (faults.length > 0) throw new RunError(`recording lost operations: ${faults.join('; ')}`);
}

/** Keeps the seconds and tells the user, until the step is over; rejects when the store fails. */
async function poll(live: LiveStep, over: AbortSignal): Promise<never> {
  for (;;) {
    await sleep(POLL_MS, undefined, { signal: over });
    const elapsed = elapsedS(live);
    saveSeconds(live, elapsed, false);
    const { progress } = live.context;
    progress.update(elapsed, describeLoad(live.step, elapsed, live.seconds));
  }
}

/** At the deadline a statement that still runs is cancelled; a worker that cannot be ended is a failure. */
async function endAtDeadline(
  live: LiveStep,
  deadlineNs: number | null,
  over: AbortSignal,
): Promise<never> {
  if (deadlineNs === null) return await new Promise<never>(() => {});
  const leftMs = (deadlineNs - Number(process.hrtime.bigint())) / 1e6;
  await sleep(leftMs + CANCEL_AFTER_MS, undefined, { signal: over });
  const giveUp = performance.now() + GIVE_UP_AFTER_MS;
  while (performance.now() < giveUp) {
    const late = live.backendPids.filter((pid, i) => pid !== null && live.done[i] === null);
    await live.context.server.cancel(late.filter((pid) => pid !== null));
    await sleep(CANCEL_AFTER_MS, undefined, { signal: over });
  }
  const stuck = live.jobs.filter((_, i) => live.done[i] === null).map(nameOf);
  throw new RunError(
    `${stuck.join(', ')} did not end within ${GIVE_UP_AFTER_MS / 1000} s after the deadline of ${live.step.name}`,
  );
}

function saveSeconds(live: LiveStep, untilS: number, isEnd: boolean): void {
  if (live.startNs === 0) return;
  addSeconds(live.context.store, live.stepKey, live.seconds.read(untilS, isEnd));
}

/** The last seconds of a step that failed; the store may be what failed. */
function keepWhatThereIs(live: LiveStep): void {
  try {
    saveSeconds(live, elapsedS(live) + 1, true);
  } catch (error) {
    live.context.log.error({ err: error }, 'the last seconds of the step could not be kept');
  }
}

function elapsedS(live: LiveStep): number {
  return (Number(process.hrtime.bigint()) - live.startNs) / 1e9;
}

async function sleepUntilNs(ns: number): Promise<void> {
  await sleep(Math.max(0, (ns - Number(process.hrtime.bigint())) / 1e6));
}
