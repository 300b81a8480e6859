import type { BackgroundSeconds, StepPlan, WorkerJob, WorkerResult } from '@ibench/core';
import { type DoneMessage, nameOf, type StepMemoryFile, type WorkerProcess } from '@ibench/host';
import type { RunContext } from './context.ts';
import type { WatchedProcess } from './process-watch.ts';
import type { SecondsReader } from './seconds.ts';

/** One step in which workers run, while it runs. */
export interface LiveStep {
  readonly context: RunContext;
  readonly step: StepPlan;
  readonly stepKey: number;
  readonly jobs: readonly WorkerJob[];
  readonly memory: StepMemoryFile;
  readonly workers: readonly WorkerProcess[];
  readonly backendPids: (number | null)[];
  readonly seconds: SecondsReader;
  readonly done: (DoneMessage | null)[];
  startNs: number;
}

/** How long the step lasted, when all workers are done, seconds. */
export function lengthS({ step, done, startNs }: LiveStep): number {
  const finishedS = done.map((one) => (one === null ? 0 : (one.finishedNs - startNs) / 1e9));
  return Math.max(step.seconds ?? 0, ...finishedS);
}

/** Which process does what: for whoever looks at them with other tools. */
export function logProcesses({ context, step, jobs, workers, backendPids }: LiveStep): void {
  const processes = jobs.map(({ role, client, ordinal }, i) => ({
    role,
    client,
    ordinal,
    pid: workers[i]?.pid,
    backendPid: backendPids[i],
  }));
  context.log.info({ step: step.name, processes }, 'all workers are connected');
}

/** The workers of a step and, where the server is ours, their backends. */
export function processesOf({ context, workers, backendPids }: LiveStep): WatchedProcess[] {
  return workers.flatMap(({ job, pid }, i) => {
    const who = nameOf(job);
    const backendPid = context.server.isExclusive ? (backendPids[i] ?? null) : null;
    const backend = { pid: backendPid ?? -1, who: `the backend of ${who}`, isServer: true };
    return [{ pid, who, isServer: false }, ...(backendPid === null ? [] : [backend])];
  });
}

/**
 * The background inserts of each client, in the whole seconds until the deadline.
 *
 * @param results of the workers; @param windowS length of the step
 */
export function backgroundOf(
  { context, step, seconds }: LiveStep,
  results: readonly WorkerResult[],
  windowS: number,
): BackgroundSeconds[] {
  const { targetRate, rowsPerCommit, seconds: length } = step;
  if (targetRate === null || length === null) return [];
  return Array.from({ length: context.workload.clients }, (_, i) => ({
    client: i + 1,
    targetRate,
    rowsPerCommit,
    rows: seconds.perSecond('insert', length, i + 1),
    inserted: results.reduce(
      (sum, one) => sum + (one.role === 'insert' && one.client === i + 1 ? one.rows : 0),
      0,
    ),
    seconds: windowS,
  }));
}
