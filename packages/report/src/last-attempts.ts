import type { RunRecord } from '@ibench/core';

/** What tells attempts at one run of a plan apart. */
export type Attempt = Pick<RunRecord, 'planRun' | 'attempt'>;

/** Of the attempts at one run of a plan, which are one repeat, the last; all runs that no plan asked for. */
export function lastAttempts<T extends Attempt>(runs: readonly T[]): T[] {
  const last = new Map<number, number>();
  for (const { planRun, attempt } of runs) {
    if (planRun !== null) last.set(planRun, Math.max(attempt, last.get(planRun) ?? 0));
  }
  return runs.filter(({ planRun, attempt }) => planRun === null || attempt === last.get(planRun));
}
