import fs from 'node:fs';
import {
  type CpuSeconds,
  counter,
  type ResyncResult,
  sparseCounts,
  TICKS_PER_US,
  type TimesResult,
  type WorkerJob,
  type WorkerResult,
} from '@ibench/core';
import {
  createPipe,
  type DoneMessage,
  type StepMemoryFile,
  startWorker,
  type WorkerFds,
  type WorkerFiles,
  type WorkerProcess,
} from '@ibench/host';

/** Time that workers get to finish the statement they are at before they are killed. */
const STOP_GRACE_MS = 2000;

/**
 * Starts the workers of a step, with a pair of pipes between each pacer and its inserter and deleter.
 * The runner keeps no end of the pipes, so that whoever dies is noticed at the other end.
 */
export function startWorkers(
  jobs: readonly WorkerJob[],
  memory: StepMemoryFile,
  files: WorkerFiles,
): WorkerProcess[] {
  const pipes = jobs.map((job) =>
    job.role === 'insert' || job.role === 'delete' ? queue() : null,
  );
  try {
    return jobs.map((job, i) => startWorker(job, files, fdsOf(jobs, pipes, i, memory.fd)));
  } finally {
    for (const pair of pipes) {
      for (const fd of pair === null ? [] : Object.values(pair)) fs.closeSync(fd);
    }
  }
}

/** Descriptors of one queue: records go in at `put`, out at `take`; acknowledgements the other way. */
interface Queue {
  readonly take: number;
  readonly put: number;
  readonly acksIn: number;
  readonly acksOut: number;
}

function queue(): Queue {
  const records = createPipe();
  const acks = createPipe();
  return { take: records.read, put: records.write, acksIn: acks.write, acksOut: acks.read };
}

function fdsOf(
  jobs: readonly WorkerJob[],
  queues: readonly (Queue | null)[],
  index: number,
  memory: number,
): WorkerFds {
  const job = jobs[index] as WorkerJob;
  const own = queues[index];
  if (own != null) return { memory, queue: own.take, acks: own.acksIn };
  if (job.role !== 'pace') return { memory };
  const queueOf = (role: string): Queue | null =>
    queues[jobs.findIndex((other) => other.role === role && other.client === job.client)] ?? null;
  const inserts = queueOf('insert');
  const deletes = queueOf('delete');
  return {
    memory,
    queue: inserts?.put,
    acks: inserts?.acksOut,
    deleteQueue: deletes?.put,
    deleteAcks: deletes?.acksOut,
  };
}

/** Lets workers that are done go, and waits until they have gone. */
export async function releaseWorkers(workers: readonly WorkerProcess[]): Promise<void> {
  for (const worker of workers) worker.release();
  await Promise.all(workers.map((worker) => worker.exited));
}

/**
 * Ends the workers of a step that is over, by whatever means: asks them to stop, has the server cancel
 * what they wait for, and kills those that are still there after a grace period. None is left.
 *
 * @param cancel asks the server to cancel the workers' statements
 */
export async function endWorkers(
  workers: readonly WorkerProcess[],
  memory: StepMemoryFile,
  cancel: () => Promise<void>,
): Promise<void> {
  memory.stop();
  for (const worker of workers) worker.release();
  const gone = Promise.all(workers.map((worker) => worker.exited)).then(() => true);
  const until = performance.now() + STOP_GRACE_MS;
  while (!(await Promise.race([gone, pause(200)])) && performance.now() < until) {
    await Promise.race([cancel().catch(() => {}), pause(500)]);
  }
  for (const worker of workers) worker.kill();
  await gone;
}

function pause(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, ms, false));
}

/** What is known of a worker beside its counters. */
export interface WorkerEnd {
  readonly backendPid: number | null;
  readonly backendCpu: CpuSeconds | null;
  /** null: it did not say `done`. */
  readonly done: DoneMessage | null;
  readonly startNs: number;
}

/** A worker's counters as they are in shared memory, as a result. */
export function workerResult(
  worker: WorkerProcess,
  index: number,
  memory: StepMemoryFile,
  end: WorkerEnd,
): WorkerResult {
  const view = memory.read(index);
  const { job } = worker;
  const value = (name: Parameters<typeof counter>[1]): number => counter(view, name);
  const timed = job.role !== 'pace';
  return {
    client: job.client,
    role: job.role,
    pid: worker.pid,
    backendPid: end.backendPid,
    finishedS: end.done === null ? null : (end.done.finishedNs - end.startNs) / 1e9,
    operations: value('operations'),
    rows: value('rows'),
    retries: value('retries'),
    errors: worker.failed() ? 1 : 0,
    cpu: end.done === null ? null : { user: end.done.cpuUserS, system: end.done.cpuSystemS },
    backendCpu: end.backendCpu,
    waitServerS: value('waitServerNs') / 1e9,
    generateS: value('generateNs') / 1e9,
    waitQueueS: value('waitQueueNs') / 1e9,
    resync: timed ? resyncResult(job, value) : null,
    times: timed ? timesResults(view, value) : [],
  };
}

function resyncResult(
  job: WorkerJob,
  value: (name: 'resyncCount' | 'resyncSum' | 'resyncMax') => number,
): ResyncResult | null {
  const count = value('resyncCount');
  if (job.role !== 'delete' && count === 0) return null;
  return {
    name: job.role === 'delete' ? 'getmin' : 'getmax',
    count,
    totalUs: value('resyncSum') / TICKS_PER_US,
    maxUs: value('resyncMax') / TICKS_PER_US,
  };
}

function timesResults(
  view: ReturnType<StepMemoryFile['read']>,
  value: (name: Parameters<typeof counter>[1]) => number,
): TimesResult[] {
  const times: TimesResult[] = [
    {
      clock: 'service',
      count: value('operations'),
      maxUs: value('serviceMax') / TICKS_PER_US,
      sumUs: value('serviceSum') / TICKS_PER_US,
      decimal: [...view.serviceDecimal],
      buckets: sparseCounts(view.service),
    },
  ];
  if (value('responseMax') > 0) {
    times.push({
      clock: 'response',
      count: value('responseCount'),
      maxUs: value('responseMax') / TICKS_PER_US,
      sumUs: value('responseSum') / TICKS_PER_US,
      decimal: [...view.responseDecimal],
      buckets: sparseCounts(view.response),
    });
  }
  return times;
}
