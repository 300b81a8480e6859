import type { StepPlan } from '../plan.ts';
import { tableOf } from '../plan.ts';
import type { Role } from '../step.ts';
import { type Dialect, withPlaceholders } from '../workload/dialect.ts';
import type { Workload } from '../workload/workload.ts';
import { blockOffset } from './block.ts';
import type { Connect, WorkerJob } from './job.ts';
import { type Pin, placeOf } from './pin.ts';

/** What is decided outside the plan: who starts the workers and how they connect. */
export interface JobWorld {
  readonly parentPid: number;
  readonly dialect: Dialect;
  readonly pin: Pin;
  connect(role: Role, client: number, ordinal: number): Connect;
}

/** Batches of a step begin at its number times this, so that no two steps of a run load the same rows. */
const BATCHES_PER_STEP = 2 ** 32;

/**
 * The jobs of a load, write or read-write step: for each client a pacer, an inserter, a deleter where
 * the step deletes, and its queriers where it queries. Job i owns block i of the shared memory. CPUs go
 * round by connection; a pacer, which mostly sleeps, is with its inserter.
 */
export function makeJobs(
  step: StepPlan,
  workload: Workload,
  world: JobWorld,
): readonly WorkerJob[] {
  const jobs: WorkerJob[] = [];
  let connections = 0;
  for (let client = 1; client <= workload.clients; client++) {
    for (const job of clientJobs(step, workload, world, client)) {
      const place = placeOf(world.pin, connections);
      jobs.push({ ...job, place, blockOffset: blockOffset(jobs.length) });
      if (job.role !== 'pace') connections++;
    }
  }
  return jobs;
}

function clientJobs(
  step: StepPlan,
  workload: Workload,
  world: JobWorld,
  client: number,
): WorkerJob[] {
  const table = tableOf(workload, client);
  const { dialect } = world;
  const base = {
    client,
    ordinal: 1,
    parentPid: world.parentPid,
    place: null,
    blockOffset: 0,
    targetRate: step.targetRate,
    rowsPerCommit: step.rowsPerCommit,
    rows: step.rowsPerClient?.[client - 1] ?? null,
  };
  const jobs: WorkerJob[] = [
    { ...base, role: 'pace', deletes: step.deletes, pacing: workload.pacing },
    {
      ...base,
      role: 'insert',
      connect: world.connect('insert', client, 1),
      method: workload.insert_method,
      sql: dialect.insertSql(table, workload.insert_method, workload.copy_format),
      shape: workload,
      seed: workload.seed,
      batchBase: step.seq * BATCHES_PER_STEP,
    },
  ];
  if (step.deletes) {
    jobs.push({
      ...base,
      role: 'delete',
      connect: world.connect('delete', client, 1),
      prepared: workload.prepared_deletes,
      parts: dialect.deleteParts(table),
      preparedSql: withPlaceholders(dialect.deleteParts(table), dialect.placeholder),
      minId: dialect.minId(table),
      resyncEvery: workload.getmin_statements,
    });
  }
  return [...jobs, ...queryJobs(step, workload, world, base)];
}

function queryJobs(
  step: StepPlan,
  workload: Workload,
  world: JobWorld,
  base: Omit<Extract<WorkerJob, { role: 'pace' }>, 'role' | 'deletes' | 'pacing'>,
): WorkerJob[] {
  const shape = step.queries;
  if (shape === null) return [];
  const { dialect } = world;
  const table = tableOf(workload, base.client);
  const queries =
    shape === 'range' ? dialect.rangeQueries(table, workload) : [dialect.pointQuery(table)];
  return Array.from({ length: workload.queriers }, (_, i) => ({
    ...base,
    role: 'query' as const,
    ordinal: i + 1,
    connect: world.connect('query', base.client, i + 1),
    prepared: workload.prepared_queries,
    shape,
    queries: queries.map((query) => ({
      ...query,
      preparedSql: withPlaceholders(query.parts, dialect.placeholder),
    })),
    minId: dialect.minId(table),
    maxId: dialect.maxId(table),
    maxEvery: workload.getmax_queries,
    seed: workload.seed,
    stream: step.seq,
    deletes: step.deletes,
  }));
}
