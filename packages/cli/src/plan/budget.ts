import { earlierRuns, type PastRun, type RunToEstimate, type TimeEstimate } from '@ibench/core';
import { formatSeconds } from './format.ts';

/** Time that a plan may take, from the start of this process on. */
export interface Budget {
  /** null: no bound. */
  readonly seconds: number | null;
  /** performance.now() when it began. */
  readonly startedMs: number;
}

/** How long a run is expected to take at most. */
export interface ExpectedTime {
  readonly seconds: number;
  /** What that is known from. */
  readonly from: string;
}

/**
 * The longest of the earlier runs of the same cell, else of the same workload; else what the rates of other runs
 * make of it; null: there are none.
 *
 * @param rated estimate from rates
 */
export function expectedTime(
  run: RunToEstimate,
  past: readonly PastRun[],
  rated: Pick<TimeEstimate, 'origin'> & { readonly seconds: number },
): ExpectedTime | null {
  const earlier = earlierRuns(run, past);
  if (earlier !== null) {
    const seconds = Math.max(...earlier.runs.map((one) => one.seconds));
    return { seconds, from: `the longest earlier run of the ${earlier.origin}` };
  }
  if (rated.origin !== 'earlier rates') return null;
  return { seconds: rated.seconds, from: 'the rates of earlier runs' };
}

/** What the budget says to a run. */
export interface BudgetVerdict {
  /** Why it must not start; null: it may. */
  readonly refusal: string | null;
  /** What a user should know of a run that may start. */
  readonly note: string | null;
}

/** May a run start that takes as long as `expected` and the pause before it? */
export function judgeBudget(
  budget: Budget,
  nowMs: number,
  { expected, pause }: { readonly expected: ExpectedTime | null; readonly pause: number },
): BudgetVerdict {
  if (budget.seconds === null) return { refusal: null, note: null };
  const left = budget.seconds - (nowMs - budget.startedMs) / 1000;
  if (left <= 0) return { refusal: 'the budget is used up', note: null };
  if (expected === null) {
    const note = `there is no earlier run to tell how long it takes; ${formatSeconds(left)} of the budget are left`;
    return { refusal: null, note };
  }
  const needed = expected.seconds + pause;
  if (needed <= left) return { refusal: null, note: null };
  const refusal = `it takes ${formatSeconds(needed)} (${expected.from}) and ${formatSeconds(left)} of the budget are left`;
  return { refusal, note: null };
}
