import type { StepResult, WorkerResult } from '../result.ts';
import { isQueryStep } from '../step.ts';
import type { StepMetrics } from './columns.ts';
import { divide } from './normalise.ts';

/** How one client fared in a step. */
export interface ClientRate {
  readonly client: number;
  /** When the last of its inserters (l.*) or queriers (q*) finished, seconds since the step started. */
  readonly finishedS: number;
  /** Rows inserted/s (l.*) or queries/s (q*) until then. */
  readonly rate: number | null;
}

/**
 * When each client finished and its rate until then: rows inserted/s in l.*, queries/s in q*; in order
 * of client numbers. A client finishes when the last of its inserters (l.*) or queriers (q*) does.
 * Empty for steps without them (l.x, settle).
 */
export function clientRates(step: string, workers: readonly WorkerResult[]): ClientRate[] {
  const [role, counted] = isQueryStep(step)
    ? (['query', 'operations'] as const)
    : (['insert', 'rows'] as const);
  const counting = workers.filter((worker) => worker.role === role);
  const clients = [...new Set(counting.map(({ client }) => client))].sort((a, b) => a - b);
  return clients.map((client) => {
    const own = counting.filter((worker) => worker.client === client);
    const finishedS = Math.max(...own.map((worker) => worker.finishedS ?? 0));
    const done = own.reduce((sum, worker) => sum + worker[counted], 0);
    return { client, finishedS, rate: divide(done, finishedS) };
  });
}

/**
 * How evenly a step treated its clients, and its rate without the time in which some had finished.
 *
 * client_rate_ratio: smallest rate of a client / largest; 1 with one client.
 *
 * all_active_rate: rows inserted/s (l.*) or queries/s (q*) of all clients, while all were active. In q*
 * that is the whole step, as every client goes on to the deadline: qps. In l.* it is over the whole
 * seconds from the start of the step to the first client's finish, counting what completed in them. The
 * part of a second before that finish is left out: per-second counts cannot tell what of it came before.
 * So it is null when a client finishes within the first second, unless it is the only one: that client's
 * rate is the answer.
 */
export function fairness(
  step: string,
  { workers, perSecond, seconds }: Pick<StepResult, 'workers' | 'perSecond' | 'seconds'>,
): Pick<StepMetrics, 'client_rate_ratio' | 'all_active_rate'> {
  const clients = clientRates(step, workers);
  const rates = clients.map(({ rate }) => rate).filter((rate) => rate !== null);
  return {
    client_rate_ratio: rates.length === 0 ? null : divide(Math.min(...rates), Math.max(...rates)),
    all_active_rate: isQueryStep(step)
      ? queryRate(workers, seconds)
      : activeInsertRate(clients, perSecond),
  };
}

function queryRate(workers: readonly WorkerResult[], seconds: number): number | null {
  const queriers = workers.filter(({ role }) => role === 'query');
  if (queriers.length === 0) return null;
  return divide(sum(queriers.map(({ operations }) => operations)), seconds);
}

function activeInsertRate(
  clients: readonly ClientRate[],
  perSecond: readonly number[],
): number | null {
  const [first, ...others] = clients;
  if (first === undefined) return null;
  if (others.length === 0) return first.rate;
  const whole = Math.floor(Math.min(...clients.map(({ finishedS }) => finishedS)));
  return perSecond.length < whole ? null : divide(sum(perSecond.slice(0, whole)), whole);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
