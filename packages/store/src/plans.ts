import { prepare, type Store } from './open.ts';
import { durably, insertRow, toColumns, transact } from './write.ts';

/** How a plan stands; `stopped`: it ended in order with runs left to do. */
export type PlanStatus = 'running' | 'done' | 'failed' | 'stopped' | 'interrupted' | 'crashed';

/** The process that works on a plan. */
export interface PlanRunner {
  readonly runnerPid: number;
  /** Opaque; differs when the process id has been given to another process. */
  readonly runnerStart: string;
}

/** A run that a plan asks for, with checksums of what its names stood for when the plan began. */
export interface NewPlanRun {
  /** Position in the order of the plan, from 1. */
  readonly ordinal: number;
  readonly build: string;
  readonly config: string;
  readonly workload: string;
  readonly tag: string;
  readonly repeat: number;
  /** JSON. */
  readonly overrides: string;
  readonly buildSha256: string;
  readonly configSha256: string;
  readonly workloadSha256: string;
}

/** A plan that begins. */
export interface NewPlan extends PlanRunner {
  readonly name: string;
  readonly file: string;
  readonly fileText: string;
  readonly fileSha256: string;
  readonly runOrder: string;
  /** Of the order. */
  readonly seed: number;
  /** JSON. */
  readonly options: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
}

/** A plan as it is in the store. */
export interface PlanRecord extends NewPlan {
  readonly planKey: number;
  /** 1, and one more each time that the plan was begun anew. */
  readonly edition: number;
  readonly status: PlanStatus;
  readonly message: string | null;
  readonly finishedAt: string | null;
}

/** How a plan ended; `message` says why, null for done. */
export interface PlanEnd {
  readonly status: Exclude<PlanStatus, 'running'>;
  readonly message: string | null;
  /** ISO 8601, UTC. */
  readonly finishedAt: string;
}

/**
 * Is shown the last edition of a plan, in the transaction that gives the plan to a runner; what it throws
 * leaves the store as it was.
 */
type OwnerCheck = (last: PlanRecord | null) => void;

/** Adds a plan with all its runs, status `running`; a name that is there already gets the next edition. */
export function createPlan(
  store: Store,
  plan: NewPlan,
  runs: readonly NewPlanRun[],
  check: OwnerCheck = () => {},
): PlanRecord {
  return durably(store, () => {
    const last = findPlan(store, plan.name);
    check(last);
    const edition = (last?.edition ?? 0) + 1;
    const row = toColumns({ ...plan, edition, status: 'running' });
    const planKey = insertRow(store, 'plan', row);
    for (const run of runs) {
      insertRow(store, 'plan_run', { plan_key: planKey, ...toColumns({ ...run }) });
    }
    return { ...plan, planKey, edition, status: 'running', message: null, finishedAt: null };
  });
}

/** The last edition of a plan; null: there is no plan of this name. */
export function findPlan(store: Store, name: string): PlanRecord | null {
  const row = prepare(store, `${SELECT_PLAN} WHERE name = ? ORDER BY edition DESC LIMIT 1`).get(
    name,
  );
  return (row as PlanRecord | undefined) ?? null;
}

/** All plans, their last editions only, in order of start. */
export function listPlans(store: Store): PlanRecord[] {
  return prepare(
    store,
    `${SELECT_PLAN} WHERE edition = (SELECT max(edition) FROM plan p WHERE p.name = plan.name)
     ORDER BY plan_key`,
  ).all() as PlanRecord[];
}

const SELECT_PLAN = `SELECT plan_key AS planKey, name, edition, file, file_text AS fileText,
  file_sha256 AS fileSha256, run_order AS runOrder, seed, options, status, message,
  started_at AS startedAt, finished_at AS finishedAt, runner_pid AS runnerPid, runner_start AS runnerStart
FROM plan`;

/** Another process goes on with the plan. Why runs were not started is forgotten. */
export function continuePlan(
  store: Store,
  { planKey, name }: Pick<PlanRecord, 'planKey' | 'name'>,
  runner: PlanRunner,
  check: OwnerCheck = () => {},
): void {
  durably(store, () => {
    check(findPlan(store, name));
    prepare(
      store,
      `UPDATE plan SET status = 'running', message = NULL, finished_at = NULL, runner_pid = ?, runner_start = ?
       WHERE plan_key = ?`,
    ).run(runner.runnerPid, runner.runnerStart, planKey);
    prepare(store, 'UPDATE plan_run SET reason = NULL WHERE plan_key = ?').run(planKey);
  });
}

/** Ends a running plan; does nothing to one that has ended. */
export function endPlan(store: Store, planKey: number, end: PlanEnd): void {
  durably(store, () => {
    prepare(
      store,
      `UPDATE plan SET status = ?, message = ?, finished_at = ? WHERE plan_key = ? AND status = 'running'`,
    ).run(end.status, end.message, end.finishedAt, planKey);
  });
}

/** Says why a run of a plan was not started. */
export function sayNotStarted(store: Store, planRunKey: number, reason: string): void {
  transact(store, () => {
    prepare(store, 'UPDATE plan_run SET reason = ? WHERE plan_run_key = ?').run(reason, planRunKey);
  });
}
