import { setTimeout as sleep } from 'node:timers/promises';
import type { PlanFile } from '@ibench/core';
import { loadDurations, type PlanRunRecord, planRuns, sayNotStarted } from '@ibench/store';
import { messageOf } from '../run/failure.ts';
import { type RunOutcome, runBenchmark } from '../run/run-benchmark.ts';
import type { RunWorld } from '../run/run-options.ts';
import { type Budget, type ExpectedTime, expectedTime, judgeBudget } from './budget.ts';
import { type CellEstimate, estimatePlan, type PlanEstimate } from './estimate-plan.ts';
import { formatSeconds } from './format.ts';
import { checkHost } from './host-check.ts';
import type { KeptStore } from './kept-store.ts';
import type { LoadedPlan } from './load-plan.ts';
import type { PreparedRun } from './prepare-plan.ts';
import { isGivenUp, runName, standingOf } from './standing.ts';

/** A plan that is being carried out. */
export interface Execution {
  readonly world: RunWorld;
  readonly loaded: LoadedPlan;
  readonly prepared: readonly PreparedRun[];
  readonly planKey: number;
  /** Marks what is kept for this plan. */
  readonly owner: string;
  readonly kept: KeptStore;
  readonly budget: Budget;
  /** Do runs again that have failed as often as the plan lets them? */
  readonly retryFailed: boolean;
}

/**
 * Carries out what is left of a plan, in its order. A run that fails does not stop it; a signal does.
 *
 * @returns how many runs were not started because of the budget
 */
export async function executePlan(execution: Execution): Promise<number> {
  const { world, prepared, loaded, kept } = execution;
  let beyondBudget = 0;
  let hasRun = false;
  for (const [i, one] of prepared.entries()) {
    let left = attemptsLeft(execution, recordOf(execution, one.planned.ordinal));
    while (left > 0) {
      const pause = hasRun ? loaded.plan.cooldownSeconds : 0;
      if (!mayStart(execution, one, pause)) {
        beyondBudget++;
        break;
      }
      hasRun = true;
      const outcome = await attempt(execution, one, pause);
      if (world.signal.aborted) return beyondBudget;
      left = outcome === 'failed' ? left - 1 : 0;
    }
    const needed = remaining(execution, i + 1).map(({ branchKey }) => branchKey);
    kept.removeAllBut(new Set(needed));
  }
  return beyondBudget;
}

/** The runs from a position on that are still to be tried. */
function remaining(execution: Execution, from: number): PreparedRun[] {
  const records = planRuns(execution.world.store, execution.planKey);
  return execution.prepared.slice(from).filter(({ planned }) => {
    const record = records.find(({ ordinal }) => ordinal === planned.ordinal);
    return record !== undefined && attemptsLeft(execution, record) > 0;
  });
}

function recordOf({ world, planKey }: Execution, wanted: number): PlanRunRecord {
  const all = planRuns(world.store, planKey);
  return all.find(({ ordinal }) => ordinal === wanted) as PlanRunRecord;
}

/** How often a run may still be tried. */
function attemptsLeft({ loaded, retryFailed }: Execution, record: PlanRunRecord): number {
  const { state, failures } = standingOf(record);
  const allowed = 1 + loaded.plan.retries;
  if (state === 'done') return 0;
  return retryFailed && isGivenUp(record, loaded.plan.retries)
    ? allowed
    : Math.max(0, allowed - failures);
}

function mayStart(execution: Execution, one: PreparedRun, pause: number): boolean {
  const { world, budget } = execution;
  const expected = expectationOf(execution, one);
  const { refusal, note } = judgeBudget(budget, performance.now(), { expected, pause });
  if (note !== null) world.progress.line(`  ${note}`);
  if (refusal === null) return true;
  notStarted(execution, one, refusal);
  return false;
}

function expectationOf(
  { world, loaded, prepared }: Execution,
  one: PreparedRun,
): ExpectedTime | null {
  const past = loadDurations(world.store);
  const { cells, runSeconds } = estimatePlan(loaded, past);
  const { origin } = (cells.get(one.planned.cell) as CellEstimate).time;
  const seconds = runSeconds[prepared.indexOf(one)] as number;
  const { build, config, workload } = one.stored;
  const run = { build, config, workload, parameters: one.options.workload.workload };
  return expectedTime(run, past, { origin, seconds });
}

function notStarted(execution: Execution, one: PreparedRun, reason: string): void {
  const { world, planKey } = execution;
  const record = recordOf(execution, one.planned.ordinal);
  sayNotStarted(world.store, record.planRunKey, reason);
  world.progress.line(
    `${runName(record, planRuns(world.store, planKey))} is not started: ${reason}`,
  );
}

/** One attempt at a run: pause, look at the host, run. */
async function attempt(
  execution: Execution,
  one: PreparedRun,
  pause: number,
): Promise<RunOutcome['status'] | 'not started'> {
  const { world, loaded, planKey } = execution;
  const estimate = estimatePlan(loaded, loadDurations(world.store));
  announce(execution, one, estimate);
  try {
    await coolDown(world, pause);
    const warnings = await checkHost({
      bounds: loaded.plan.host,
      folder: loaded.plan.run.dataDir ?? one.options.runsDirectory,
      neededBytes: neededBytes(loaded.plan, one, estimate),
      signal: world.signal,
      update: (second, text) => world.progress.update(second, text),
    });
    for (const warning of warnings) world.progress.line(`warning: ${warning}`);
    const outcome = await run(execution, one, [...world.warnings, ...warnings]);
    if (outcome.status === 'failed') {
      const name = runName(
        recordOf(execution, one.planned.ordinal),
        planRuns(world.store, planKey),
      );
      world.progress.line(`${name} failed: ${messageOf(outcome.error)}`);
    }
    return outcome.status;
  } catch (error) {
    if (world.signal.aborted) return 'interrupted';
    notStarted(execution, one, messageOf(error));
    return 'not started';
  }
}

function run(
  execution: Execution,
  { options, server, branchKey, planned }: PreparedRun,
  warnings: readonly string[],
): Promise<RunOutcome> {
  const { world, loaded, kept, owner } = execution;
  const { reuse } = loaded.plan;
  const { planRunKey, attempts } = recordOf(execution, planned.ordinal);
  const { dataDirectory } = server;
  const attemptDirectory =
    dataDirectory === null ? null : `${dataDirectory}-${attempts.length + 1}`;
  const branch =
    reuse === null
      ? null
      : {
          after: reuse,
          kept: kept.get(branchKey),
          key: branchKey,
          owner,
          onKept: kept.add.bind(kept),
        };
  return runBenchmark(
    { ...options, server: { ...server, dataDirectory: attemptDirectory }, planRunKey, branch },
    { ...world, warnings },
  );
}

async function coolDown({ progress, signal }: RunWorld, seconds: number): Promise<void> {
  const start = performance.now();
  for (;;) {
    const left = seconds - (performance.now() - start) / 1000;
    if (left <= 0) return;
    progress.update(seconds - left, `  cool-down, ${formatSeconds(left)} left`);
    await sleep(Math.min(1000, left * 1000), undefined, { signal });
  }
}

/** Room for the run itself, and for the data that it keeps. */
function neededBytes(plan: PlanFile, { planned }: PreparedRun, { cells }: PlanEstimate): number {
  const space = [...cells].find(([cell]) => cell === planned.cell)?.[1].space;
  if (space === undefined) return 0;
  return space.loadedBytes * (plan.reuse === null ? 1 : 2);
}

function announce(execution: Execution, one: PreparedRun, { runSeconds }: PlanEstimate): void {
  const { world, prepared, planKey } = execution;
  const runs = planRuns(world.store, planKey);
  const record = recordOf(execution, one.planned.ordinal);
  const left = remaining(execution, prepared.indexOf(one)).reduce(
    (sum, other) => sum + (runSeconds[prepared.indexOf(other)] ?? 0),
    0,
  );
  world.progress.line(
    `run ${one.planned.ordinal} of ${prepared.length}: ${runName(record, runs)} — about ${formatSeconds(left)} left`,
  );
}
