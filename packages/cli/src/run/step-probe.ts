import {
  counter,
  type SeriesValue,
  type StepPlan,
  TICKS_PER_US,
  tableOf,
  type WorkerJob,
  type Workload,
} from '@ibench/core';
import type { StepMemoryFile } from '@ibench/host';
import type { StepProbe } from './server-sampler.ts';

/**
 * What a step of the load generator tells beside the server: the deleters' queries for the smallest id,
 * as they are counted in shared memory, and a delete like theirs, of one client after the other.
 */
export function stepProbe(live: {
  readonly context: { readonly workload: Workload };
  readonly step: StepPlan;
  readonly jobs: readonly WorkerJob[];
  readonly memory: StepMemoryFile;
}): StepProbe {
  const { jobs, memory, step } = live;
  const { workload } = live.context;
  const deleters = jobs.flatMap((job, index) =>
    job.role === 'delete'
      ? [{ client: job.client, index, table: tableOf(workload, job.client), count: 0, us: 0 }]
      : [],
  );
  let turn = 0;
  return {
    values: () =>
      deleters.flatMap((deleter): SeriesValue[] => {
        const view = memory.read(deleter.index);
        const count = counter(view, 'resyncCount');
        const us = counter(view, 'resyncSum') / TICKS_PER_US;
        const values = [
          { name: 'getmin_count', object: deleter.table, value: count - deleter.count },
          { name: 'getmin_us', object: deleter.table, value: us - deleter.us },
        ];
        const isNew = count > deleter.count;
        Object.assign(deleter, { count, us });
        return isNew ? values : [];
      }),
    nextDelete: () => {
      const deleter = deleters[turn++ % deleters.length];
      if (deleter === undefined) return null;
      const guess = memory.guess(deleter.client);
      return guess === 0 ? null : { table: deleter.table, guess, rows: step.rowsPerCommit };
    },
  };
}
