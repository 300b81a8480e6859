import type { WorkerResult } from '../result.ts';
import type { Role } from '../step.ts';
import { isQueryStep } from '../step.ts';
import type { StepMetrics } from './columns.ts';
import { divide } from './normalise.ts';

/** A worker that sets the pace of its step should spend at least this share of its time waiting for the server. */
export const SERVER_BOUND_SHARE = 0.7;

/**
 * Did the load generator rather than the server set the pace of a step? `serverWaitShare` (0..1) is the
 * share of its time that the limiting worker waited for the server: below 70% the answer is yes.
 */
export function isClientBound(serverWaitShare: number): boolean {
  return serverWaitShare < SERVER_BOUND_SHARE;
}

/**
 * The verdict on a step and the share (0..1) it comes from. A share is of the worker's own time, from
 * the start of the step to its own end. The limiting worker of a client is its querier in q*; in the
 * other steps it is the inserter or the deleter, whichever has the smaller share of waiting for the
 * queue, as the other one waits for it. Over clients (and over a client's queriers) the worst counts:
 * the smallest share of waiting for the server. null where no such worker ran (l.x, settle).
 *
 * The share is not exact: time in which an inserter makes its next statement while the server executes
 * the current one counts as generating, which lowers it; the worker's own sending and receiving count
 * as waiting for the server, which raises it, for a querier most.
 */
export function clientBound(
  step: string,
  workers: readonly WorkerResult[],
): Pick<StepMetrics, 'server_wait_share' | 'client_bound'> {
  const limiting = isQueryStep(step) ? ofRoles(workers, ['query']) : busiestWriters(workers);
  const shares = limiting
    .map((worker) => shareOf(worker, worker.waitServerS))
    .filter((share) => share !== null);
  const worst = shares.length === 0 ? null : Math.min(...shares);
  return {
    server_wait_share: worst,
    client_bound: worst === null ? null : isClientBound(worst),
  };
}

/** Of each client the inserters or deleters with the smallest share of waiting for the queue: several if equal. */
function busiestWriters(workers: readonly WorkerResult[]): WorkerResult[] {
  const writers = ofRoles(workers, ['insert', 'delete']);
  const queueShare = (worker: WorkerResult): number => shareOf(worker, worker.waitQueueS) ?? 1;
  return writers.filter((worker) =>
    writers.every(
      (other) => other.client !== worker.client || queueShare(worker) <= queueShare(other),
    ),
  );
}

function ofRoles(workers: readonly WorkerResult[], roles: readonly Role[]): WorkerResult[] {
  return workers.filter(({ role }) => roles.includes(role));
}

/** null for a worker that did not say when it finished. */
function shareOf({ finishedS }: WorkerResult, partS: number): number | null {
  return divide(partS, finishedS);
}
