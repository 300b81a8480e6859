import type { WorkerResult } from '../src/result.ts';

/** A worker of client 1 that did nothing for 100 s but what is given. */
export function worker(changes: Partial<WorkerResult>): WorkerResult {
  return {
    client: 1,
    role: 'insert',
    pid: 4711,
    backendPid: 4712,
    finishedS: 100,
    operations: 0,
    rows: 0,
    retries: 0,
    errors: 0,
    cpu: { user: 0, system: 0 },
    backendCpu: null,
    waitServerS: 0,
    generateS: 0,
    waitQueueS: 0,
    resync: null,
    times: [],
    ...changes,
  };
}
