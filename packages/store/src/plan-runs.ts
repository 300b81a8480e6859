import type { Status } from '@ibench/core';
import { prepare, type Store } from './open.ts';
import type { NewPlanRun } from './plans.ts';

/** One attempt at a run of a plan. */
export interface PlanAttempt {
  readonly runKey: number;
  readonly runId: string;
  readonly attempt: number;
  readonly status: Status;
  readonly message: string | null;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly directory: string;
}

/** A run of a plan with what came of it. */
export interface PlanRunRecord extends NewPlanRun {
  readonly planRunKey: number;
  /** Why it was not started. */
  readonly reason: string | null;
  /** In their order. */
  readonly attempts: readonly PlanAttempt[];
}

/** The runs of a plan in its order, all from one moment. */
export function planRuns(store: Store, planKey: number): PlanRunRecord[] {
  return store.db.transaction(() => {
    const runs = prepare(
      store,
      `SELECT plan_run_key AS planRunKey, ordinal, build, config, workload, tag, repeat, overrides,
         build_sha256 AS buildSha256, config_sha256 AS configSha256, workload_sha256 AS workloadSha256, reason
       FROM plan_run WHERE plan_key = ? ORDER BY ordinal`,
    ).all(planKey) as Omit<PlanRunRecord, 'attempts'>[];
    return runs.map((run) => ({ ...run, attempts: attemptsAt(store, run.planRunKey) }));
  })();
}

function attemptsAt(store: Store, planRunKey: number): PlanAttempt[] {
  return prepare(
    store,
    `SELECT run_key AS runKey, run_id AS runId, attempt, status, message, started_at AS startedAt,
       finished_at AS finishedAt, directory
     FROM run WHERE plan_run_key = ? ORDER BY attempt`,
  ).all(planRunKey) as PlanAttempt[];
}
