import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from '@ibench/core';
import { type KeptData, processToken } from '@ibench/host';
import { buildReport, render } from '@ibench/report';
import {
  continuePlan,
  createPlan,
  endPlan,
  findPlan,
  type NewPlan,
  type PlanEnd,
  type PlanRecord,
  planRuns,
} from '@ibench/store';
import { printResult, wantsColour } from '../environment.ts';
import { loadComparedRuns } from '../load-report.ts';
import { refuseOwned } from '../run/plan-owner.ts';
import type { RunWorld } from '../run/run-options.ts';
import { withSession } from '../run/session.ts';
import { planChanges, profileChanges } from './compare-plan.ts';
import { executePlan } from './execute-plan.ts';
import { KeptStore } from './kept-store.ts';
import type { LoadedPlan } from './load-plan.ts';
import { type PrepareChoice, type PreparedRun, preparePlan, sha256 } from './prepare-plan.ts';
import { retryAdvice, runName, standingOf } from './standing.ts';

function neverBegun(name: string, { store, file }: CarryOutChoice): UsageError {
  return new UsageError(`plan ${name} was never begun in ${store}: ibench plan run ${file}`);
}

/** What the user asked for. */
export interface CarryOutChoice extends PrepareChoice {
  readonly mode: 'run' | 'resume';
  readonly file: string;
  readonly store: string;
  readonly allowConcurrent: boolean;
  /** In place of the plan's own, seconds. */
  readonly budgetSeconds: number | null;
  /** Begin anew although the plan was begun before. */
  readonly again: boolean;
  readonly retryFailed: boolean;
}

/** Exit codes of plans: done, some runs failed, the budget ended it, the user did. */
const EXIT = { done: 0, failed: 1, stopped: 3, interrupted: 130, crashed: 1 } as const;

/**
 * Begins a plan, or goes on with it, and prints the tables of its runs.
 *
 * @returns the exit code
 * @throws UsageError for a plan that another runner works on, was begun already, was never begun, or has
 * changed since
 */
export async function carryOut(loaded: LoadedPlan, choice: CarryOutChoice): Promise<number> {
  const prepared = preparePlan(loaded, choice);
  const owner = `${choice.store} ${loaded.plan.name}`;
  const found: KeptData[] = [];
  const spare = (data: KeptData): boolean => {
    const isOurs = choice.mode === 'resume' && data.owner === owner;
    if (isOurs) found.push(data);
    return isOurs;
  };
  if (choice.mode === 'resume' && !fs.existsSync(choice.store)) {
    throw neverBegun(loaded.plan.name, choice);
  }
  return withSession({ ...choice, spare }, async (world) => {
    const startedMs = performance.now();
    const record = openPlan(world, loaded, prepared, choice);
    const kept = new KeptStore((text) => world.progress.line(text));
    await kept.adopt(found, planRuns(world.store, record.planKey));
    const beyondBudget = await executePlan({
      world,
      loaded,
      prepared,
      planKey: record.planKey,
      owner,
      kept,
      budget: { seconds: choice.budgetSeconds ?? loaded.plan.budgetSeconds, startedMs },
      retryFailed: choice.retryFailed,
    });
    const end = conclude(world, record, beyondBudget);
    const advice = retryAdvice(
      planRuns(world.store, record.planKey),
      loaded.plan.retries,
      choice.file,
    );
    if (advice !== null) world.progress.line(advice);
    if (end.status === 'done' || end.status === 'failed') kept.removeAllBut(new Set());
    for (const directory of kept.directories()) {
      world.progress.line(`${directory} is kept for plan resume; the next other run removes it`);
    }
    endPlan(world.store, record.planKey, end);
    await printTables(world, loaded, record.planKey);
    return EXIT[end.status];
  });
}

/** The plan's row: a new one, or the one to go on with. */
function openPlan(
  { store, progress }: RunWorld,
  loaded: LoadedPlan,
  prepared: readonly PreparedRun[],
  choice: CarryOutChoice,
): PlanRecord {
  const { plan } = loaded;
  const runs = prepared.map(({ stored }) => stored);
  const existing = findPlan(store, plan.name);
  refuseOwned(existing);
  const runner = { runnerPid: process.pid, runnerStart: processToken(process.pid) ?? '' };
  if (choice.mode === 'run') {
    if (existing !== null && !choice.again) throw begunAlready(store, existing, choice.file);
    progress.line(`plan ${plan.name}: ${runs.length} runs, ${plan.order.kind}`);
    return createPlan(store, { ...newPlan(loaded, choice), ...runner }, runs, refuseOwned);
  }
  if (existing === null) {
    throw neverBegun(plan.name, choice);
  }
  const before = planRuns(store, existing.planKey);
  const changes = [...planChanges(before, runs), ...profileChanges(existing.options, plan.run)];
  if (changes.length > 0) throw changedSince(existing, changes, choice.file);
  const done = before.filter((run) => standingOf(run).state === 'done').length;
  progress.line(`plan ${plan.name} goes on: ${done} of ${before.length} runs are done`);
  continuePlan(store, existing, runner, refuseOwned);
  return existing;
}

function newPlan({ plan, text }: LoadedPlan, { file, budgetSeconds }: CarryOutChoice) {
  const { order, repeats, cooldownSeconds, retries, reuse, host, run } = plan;
  const budget = budgetSeconds ?? plan.budgetSeconds;
  const options = { repeats, cooldownSeconds, retries, reuse, host, run, budgetSeconds: budget };
  return {
    name: plan.name,
    file: path.resolve(file),
    fileText: text,
    fileSha256: sha256(text),
    runOrder: order.kind,
    seed: order.seed,
    options: JSON.stringify(options),
    startedAt: new Date().toISOString(),
  } satisfies Omit<NewPlan, 'runnerPid' | 'runnerStart'>;
}

function begunAlready(store: RunWorld['store'], plan: PlanRecord, file: string): UsageError {
  const runs = planRuns(store, plan.planKey);
  const done = runs.filter((run) => standingOf(run).state === 'done').length;
  return new UsageError(
    `plan ${plan.name} was begun at ${plan.startedAt}, and ${done} of ${runs.length} runs are done: go on with "ibench plan resume ${file}", or begin anew with --again`,
  );
}

function changedSince(plan: PlanRecord, changes: readonly string[], file: string): UsageError {
  return new UsageError(
    `${file}: plan ${plan.name} is not what was begun at ${plan.startedAt}; its runs would not be comparable:\n  ${changes.join('\n  ')}\nUndo this, give the plan another name, or begin anew with "ibench plan run --again ${file}"`,
  );
}

/** How the plan ended, and what is to be told of runs that are not done. */
function conclude(
  { store, progress, signal }: RunWorld,
  { planKey, name }: PlanRecord,
  beyondBudget: number,
): PlanEnd {
  const runs = planRuns(store, planKey);
  const open = runs.filter((run) => standingOf(run).state !== 'done');
  for (const run of open) {
    const { state, reason } = standingOf(run);
    progress.line(`  ${runName(run, runs)}: ${state}${reason === null ? '' : `, ${reason}`}`);
  }
  const finishedAt = new Date().toISOString();
  const message = `${open.length} of ${runs.length} runs are not done`;
  if (open.length === 0) {
    progress.line(`plan ${name} is done: ${runs.length} runs`);
    return { status: 'done', message: null, finishedAt };
  }
  progress.line(`plan ${name}: ${message}`);
  const status = signal.aborted ? 'interrupted' : open.length > beyondBudget ? 'failed' : 'stopped';
  return { status, message, finishedAt };
}

/** The tables of what counts: of each run the attempt that is done, else the last. */
async function printTables(
  { store }: RunWorld,
  { plan, runs: planned }: LoadedPlan,
  planKey: number,
): Promise<void> {
  const runs = planRuns(store, planKey);
  const runIds = runs.flatMap((run) => standingOf(run).attempt?.runId ?? []);
  const baseAt = planned.findIndex(
    ({ cell }) => plan.base !== null && labelFor(cell, plan.base.kind) === plan.base.label,
  );
  // Nothing named would mean all runs of the store.
  if (runIds.length === 0) return;
  const { runs: records, comparability } = loadComparedRuns(store, runIds);
  const base = records.find(({ tag }) => tag === runs[baseAt]?.tag)?.tag;
  const report = buildReport(records, { base, comparability });
  await printResult(render(report, 'text', { colour: wantsColour() }));
}

function labelFor(
  { tag, labels }: LoadedPlan['runs'][number]['cell'],
  kind: 'build' | 'config' | 'tag',
): string {
  return kind === 'tag' ? tag : labels[kind];
}
