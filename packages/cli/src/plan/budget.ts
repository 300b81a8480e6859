import type { PastRun } from '@ibench/core';
import type { NewPlanRun } from '@ibench/store';
import { formatSeconds } from './format.ts';

/** Time that a plan may take, from the start of this process on. */
export interface Budget {
  /** null: no bound. */
  readonly seconds: number | null;
  /** performance.now() when it began. */
  readonly startedMs: number;
}

type Identity = Pick<NewPlanRun, 'build' | 'config' | 'workload'>;

/** The longest of the earlier runs of the same cell, else of the same workload; null: there are none. */
export function longestRun(run: Identity, past: readonly PastRun[]): number | null {
  const sameWorkload = past.filter(({ workload }) => workload === run.workload);
  const sameCell = sameWorkload.filter(
    ({ build, config }) => build === run.build && config === run.config,
  );
  const known = sameCell.length > 0 ? sameCell : sameWorkload;
  return known.length === 0 ? null : Math.max(...known.map(({ seconds }) => seconds));
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
  { expected, pause }: { readonly expected: number | null; readonly pause: number },
): BudgetVerdict {
  if (budget.seconds === null) return { refusal: null, note: null };
  const left = budget.seconds - (nowMs - budget.startedMs) / 1000;
  if (left <= 0) return { refusal: 'the budget is used up', note: null };
  if (expected === null) {
    const note = `there is no earlier run to tell how long it takes; ${formatSeconds(left)} of the budget are left`;
    return { refusal: null, note };
  }
  if (expected + pause <= left) return { refusal: null, note: null };
  const refusal = `it takes ${formatSeconds(expected + pause)} and ${formatSeconds(left)} of the budget are left`;
  return { refusal, note: null };
}
