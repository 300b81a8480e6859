import {
  type Audit,
  deadlineAudit,
  type ServerReading,
  type StepResult,
  type WorkerResult,
} from '@ibench/core';
import { nameOf } from '@ibench/host';
import { cpuBetween, cpuSplit } from './cpu-split.ts';
import { backgroundOf, type LiveStep, lengthS } from './live-step.ts';
import type { Readings } from './measurement.ts';
import { observerBackends } from './observers.ts';
import { serverResult } from './server-result.ts';
import { stepAudits } from './step-audits.ts';
import { workerResult } from './workers.ts';

/** What the workers of a step that was broken off have done until then. */
export function partialResults(live: LiveStep): WorkerResult[] {
  return live.workers.map((worker, i) =>
    workerResult(worker, i, live.memory, {
      backendPid: live.backendPids[i] ?? null,
      backendCpu: null,
      done: live.done[i] ?? null,
      startNs: live.startNs,
    }),
  );
}

/** What was read around a step at the server itself. */
export interface ServerBorders {
  /** WAL written between barrier and end. */
  readonly walBytes: number;
  /** All statistics before the start, and when the connections of the step were gone. */
  readonly before: ServerReading;
  readonly after: ServerReading;
  /** What the watch found in between. */
  readonly watched: readonly Audit[];
}

/** The result of a step whose workers have all said `done`. */
export async function assemble(
  live: LiveStep,
  readings: Readings,
  { walBytes, before, after, watched }: ServerBorders,
): Promise<StepResult> {
  const { context, step, jobs, workers, backendPids } = live;
  const results = workers.map((worker, i) => {
    const pid = backendPids[i] ?? null;
    return workerResult(worker, i, live.memory, {
      backendPid: pid,
      backendCpu: pid === null ? null : cpuBetween(readings, pid),
      done: live.done[i] ?? null,
      startNs: live.startNs,
    });
  });
  const seconds = lengthS(live);
  const backends = jobs.flatMap(({ role }, i) => {
    const backendPid = backendPids[i] ?? null;
    return backendPid === null ? [] : [{ role, backendPid }];
  });
  const server = serverResult(
    context.server,
    { before, after },
    { seconds, sampling: readings.sampling },
  );
  const split = cpuSplit(
    readings,
    [...backends, ...observerBackends(context.observers)],
    results.flatMap(({ cpu }) => cpu ?? []),
  );
  return {
    seconds,
    targetIps: step.targetRate === null ? null : step.targetRate * context.workload.clients,
    rowsIndexed: 0,
    workers: results,
    perSecond: live.seconds.perSecond(step.queries === null ? 'insert' : 'query', seconds),
    background: backgroundOf(live, results, seconds),
    osBefore: readings.before.os,
    osAfter: readings.after.os,
    cpuSplit: split,
    sizes: {
      databaseBytes: await context.server.databaseBytes(),
      dataDirectoryBytes: readings.dataDirectoryBytes,
      residentBytes: readings.residentBytes,
    },
    wal: { walBytes, fullPageImages: server.figures.full_page_images },
    server,
    tables: [],
    warnings: readings.warnings,
    audits: [
      ...watched,
      ...deadlineAudit(
        step.seconds,
        seconds,
        results.map(({ finishedS }, i) => ({ who: nameOf(jobs[i]!), finishedS })),
      ),
      ...stepAudits(context, readings, {
        step: step.name,
        seconds,
        cpuSplit: split,
        workers: results,
      }),
    ],
  };
}
