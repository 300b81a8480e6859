import { shellWord } from '@ibench/core';
import type { PlanAttempt, PlanRunRecord } from '@ibench/store';

/** How a run of a plan stands. */
export interface Standing {
  readonly state: 'done' | 'failed' | 'running' | 'interrupted' | 'crashed' | 'planned';
  /** The attempt that says so: the one that is done, else the last. */
  readonly attempt: PlanAttempt | null;
  /** Attempts that failed of themselves; those that were broken off do not count. */
  readonly failures: number;
  /** Why it is not done, one line; the store has all of it. */
  readonly reason: string | null;
}

/** What the attempts at a run say together. */
export function standingOf({ attempts, reason }: PlanRunRecord): Standing {
  const attempt = attempts.find(({ status }) => status === 'done') ?? attempts.at(-1) ?? null;
  const why = attempt?.status === 'done' ? null : (reason ?? attempt?.message ?? null);
  return {
    state: attempt?.status ?? 'planned',
    attempt,
    failures: attempts.filter(({ status }) => status === 'failed').length,
    reason: why?.split('\n')[0] ?? null,
  };
}

/** Has a run failed as often as the plan lets it? Going on with the plan alone does not do it again. */
export function isGivenUp(run: PlanRunRecord, retries: number): boolean {
  const { state, failures } = standingOf(run);
  return state !== 'done' && failures > retries;
}

/** How to have the runs that are given up done again; null where there are none. */
export function retryAdvice(
  runs: readonly PlanRunRecord[],
  retries: number,
  file: string,
): string | null {
  const count = runs.filter((run) => isGivenUp(run, retries)).length;
  if (count === 0) return null;
  const subject = count === 1 ? '1 run has' : `${count} runs have`;
  return `${subject} failed as often as the plan lets them; to try again: ibench plan resume ${shellWord(file)} --retry-failed`;
}

/** A run for a reader: `pg17.9.cx10a, repeat 1`, with its workload where the plan has several. */
export function runName(run: PlanRunRecord, all: readonly PlanRunRecord[]): string {
  const isOne = all.every(({ workload }) => workload === run.workload);
  return `${run.tag}${isOne ? '' : `, ${run.workload}`}, repeat ${run.repeat}`;
}
