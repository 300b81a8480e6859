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
  const queues = [new QueueSender(FDS.queue, FDS.acks)];
  if (job.deletes) queues.push(new QueueSender(FDS.deleteQueue, FDS.deleteAcks));
  const deadlineNs = go.deadlineNs ?? Number.POSITIVE_INFINITY;
  for (let k = 0; ; ) {
    const due = dueOf(job, go, k);
    if (due >= deadlineNs || !sleepUntilDue(due, memory)) return;
    const room = roomOf(queues);
    if (room === 0 || memory.stopped || nowNs() >= deadlineNs) return;
    const sent = put(queues, job, { k, due, most: job.targetRate === null ? room : 1 });
    if (sent.statements === 0 || !queues.every((queue) => queue.flush())) return;
    memory.add('operations', sent.statements);
    memory.add('rows', sent.rows);
    k += sent.statements;
  }
}

/** Room that all queues have, waiting for it; 0 when a worker has gone. */
function roomOf(queues: readonly QueueSender[]): number {
  let room = Number.POSITIVE_INFINITY;
  for (const queue of queues) room = Math.min(room, queue.waitForRoom());
  return room;
}

/** Puts the next statements into all queues: as many as `most`, or as there are rows left. */
function put(
  queues: readonly QueueSender[],
  job: PaceJob,
  { k, due, most }: { readonly k: number; readonly due: number; readonly most: number },
): { statements: number; rows: number } {
  const sent = { statements: 0, rows: 0 };
  while (sent.statements < most) {
    const rows = rowsInStatement(k + sent.statements, job.rowsPerCommit, job.rows);
    if (rows === 0) break;
    for (const queue of queues) queue.put(k + sent.statements, rows, due);
    sent.statements++;
    sent.rows += rows;
  }
  return sent;
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
