import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  blockOffset,
  clientEntry,
  counter,
  endWorkers,
  makeJobs,
  parseWorkload,
  planSteps,
  postgresDialect,
  StepMemoryFile,
  startWorkers,
} from './ibench.mjs';
import { orAborted } from './interrupt.mjs';

/** Time between `go` and the start that all workers wait for, as in a run. */
const BARRIER_NS = 50e6;

/**
 * The jobs of some of a step's workers, for one client.
 *
 * @param wish step: its name; client; roles; seconds: its length, null: until its rows are done;
 *   workload: parameters that differ; spin
 */
export function jobsOf(bench, wish) {
  const { step: name, client, roles, seconds = null, workload: changes = {}, spin = false } = wish;
  const workload = parseWorkload({ clients: client, ...changes }, 'bench');
  const step = planSteps(workload).find((candidate) => candidate.name === name);
  const world = {
    parentPid: process.pid,
    dialect: postgresDialect,
    pin: { mode: 'none', cpus: [] },
    connect: (role) => ({ ...bench.server.connect(`bench/${role}`), spin }),
  };
  return makeJobs(step, workload, world)
    .filter((job) => job.client === client && roles.includes(job.role))
    .map((job, i) => ({
      ...job,
      rows: seconds === null ? job.rows : null,
      blockOffset: blockOffset(i),
      // Without a deleter there is nobody to take deletes, nor to publish the smallest id.
      ...('deletes' in job && !roles.includes('delete') ? { deletes: false } : {}),
    }));
}

/**
 * Runs workers as a run does, from one barrier to the deadline.
 *
 * @param wish see jobsOf; warmup: seconds before those that are measured; during: gets the workers when
 *   they have started; environment: variables added to theirs
 * @returns by role: what was measured after the warm-up: seconds, operations, rows, CPU seconds of all
 *   threads of the process
 */
export async function runWorkers(bench, { warmup = 0, during = nothing, environment, ...wish }) {
  const { seconds = null } = wish;
  const jobs = jobsOf(bench, wish);
  return withWorkers(
    bench,
    jobs,
    async (workers, memory) => {
      await orAborted(Promise.all(workers.map((worker) => worker.ready)), bench.signal);
      const startNs = Number(process.hrtime.bigint()) + BARRIER_NS;
      const deadlineNs = seconds === null ? null : startNs + (warmup + seconds) * 1e9;
      for (const worker of workers) worker.go({ startNs, deadlineNs });
      await sleep(BARRIER_NS / 1e6 + warmup * 1000, undefined, { signal: bench.signal });
      const before = workers.map(({ pid }, i) => readWorker(memory, i, pid));
      const all = [Promise.all(workers.map((worker) => worker.done)), during(workers)];
      const [done] = await orAborted(Promise.all(all), bench.signal);
      const results = workers.map(({ job, pid }, i) => {
        const after = readWorker(memory, i, pid);
        return [job.role, difference(before[i], { ...after, atNs: done[i].finishedNs })];
      });
      return Object.fromEntries(results);
    },
    environment,
  );
}

async function nothing() {}

function readWorker(memory, index, pid) {
  const atNs = Number(process.hrtime.bigint());
  const view = memory.read(index);
  const [operations, rows] = [counter(view, 'operations'), counter(view, 'rows')];
  return { atNs, operations, rows, cpuNs: cpuNsOf(pid) };
}

function difference(before, after) {
  return {
    seconds: (after.atNs - before.atNs) / 1e9,
    operations: after.operations - before.operations,
    rows: after.rows - before.rows,
    cpuS: (after.cpuNs - before.cpuNs) / 1e9,
  };
}

/** CPU time of all threads of a process; the times in its `stat` have steps of 10 ms. */
function cpuNsOf(pid) {
  const threads = fs.readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => {
    const text = fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
    return sum + Number(text.split(' ')[0]);
  }, 0);
}

/** Starts workers, hands them to `use`, and ends them whatever happens. */
export async function withWorkers(bench, jobs, use, environment = {}) {
  const memory = new StepMemoryFile(jobs.length);
  const log = path.join(bench.directory, 'workers.log');
  const workers = startWorkers(jobs, memory, { entry: clientEntry(), log, environment });
  try {
    return await use(workers, memory);
  } finally {
    await endWorkers(workers, memory, async () => {});
    memory.close();
  }
}
