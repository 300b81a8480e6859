import { dueNs, FDS, type Go, type PaceJob, rowsInStatement } from '@ibench/core/worker';
import { nowNs } from './clock.ts';
import { sleepUntil, wantExactTimers } from './posix.ts';
import { QueueSender } from './queue.ts';
import type { StepMemory } from './step-memory.ts';

/** Longest sleep, so that a stop is seen: ns. */
const LONGEST_SLEEP_NS = 100e6;

/**
 * Hands out the statements of one client: number k to the inserter and, where the step deletes, to the
 * deleter, when both have room and, in a rate-controlled step, when it is due. Nothing is skipped: what
 * is late goes out at once. Ends when the rows are done, at the deadline, or when a worker has gone.
 */
export function pace(job: PaceJob, go: Go, memory: StepMemory): void {
  wantExactTimers();
  const inserts = new QueueSender(FDS.queue, FDS.acks);
  const deletes = job.deletes ? new QueueSender(FDS.deleteQueue, FDS.deleteAcks) : null;
  const deadlineNs = go.deadlineNs ?? Number.POSITIVE_INFINITY;
  for (let k = 0; ; k++) {
    const rows = rowsInStatement(k, job.rowsPerCommit, job.rows);
    const due = dueOf(job, go, k);
    if (rows === 0 || due >= deadlineNs) return;
    if (!sleepUntilDue(due, memory)) return;
    if (!inserts.waitForRoom() || (deletes !== null && !deletes.waitForRoom())) return;
    if (memory.stopped || nowNs() >= deadlineNs) return;
    if (!inserts.put(k, rows, due)) return;
    if (deletes !== null && !deletes.put(k, rows, due)) return;
    memory.add('operations', 1);
    memory.add('rows', rows);
  }
}

function dueOf(job: PaceJob, go: Go, k: number): number {
  if (job.targetRate === null) return 0;
  const { rowsPerCommit, pacing } = job;
  return dueNs(go.startNs, k, { rate: job.targetRate, rowsPerCommit, pacing });
}

/** False when the runner stopped the step meanwhile. */
function sleepUntilDue(due: number, memory: StepMemory): boolean {
  for (;;) {
    if (memory.stopped) return false;
    const now = nowNs();
    if (now >= due) return true;
    sleepUntil(Math.min(due, now + LONGEST_SLEEP_NS));
  }
}
