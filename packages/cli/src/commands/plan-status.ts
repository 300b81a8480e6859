import path from 'node:path';
import { UsageError } from '@ibench/core';
import { FORMATS, type Format, render } from '@ibench/report';
import {
  closeStore,
  findPlan,
  loadDurations,
  openStore,
  type PlanRecord,
  planRuns,
} from '@ibench/store';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { buildsDirectory, printResult, wantsColour } from '../environment.ts';
import { STORE_NAME } from '../paths.ts';
import { estimatePlan } from '../plan/estimate-plan.ts';
import { loadPlan } from '../plan/load-plan.ts';
import { retryAdvice, standingOf } from '../plan/standing.ts';
import { statusTables } from '../plan/status-tables.ts';
import { isOwned } from '../run/plan-owner.ts';
import { BUILDS_OPTIONS, STORE_OPTIONS } from './run-options.ts';

const STATUS_OPTIONS = {
  ...BUILDS_OPTIONS,
  ...STORE_OPTIONS,
  format: { choices: FORMATS, default: 'text' as Format, describe: 'how to print' },
} as const satisfies Record<string, Options>;

type StatusArguments = InferredOptionTypes<typeof STATUS_OPTIONS> & { readonly file: string };

/** `ibench plan status`: how far a plan is, also while it runs. */
export const planStatusCommand: CommandModule<object, StatusArguments> = {
  command: 'status <file>',
  describe: 'Say how far a plan is, also while it runs',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'plan (YAML)' })
      .options(STATUS_OPTIONS)
      .example('ibench plan status nightly.yaml', 'cells, repeats, and what is left')
      .example('ibench plan status nightly.yaml --format json', 'for other programs'),
  handler: async ({ file, db, runsDir, buildsDir, format }) => {
    // Nothing is run here: whether it may be was decided when the plan began.
    const loaded = await loadPlan(file, {
      buildsDirectory: buildsDirectory(buildsDir),
      runsDirectory: runsDir,
      allowExec: true,
    });
    const store = openStore(path.resolve(db ?? path.join(runsDir, STORE_NAME)), { readonly: true });
    try {
      const found = findPlan(store, loaded.plan.name);
      if (found === null) {
        throw new UsageError(
          `plan ${loaded.plan.name} was never begun in ${store.path}: ibench plan run ${file}`,
        );
      }
      const plan = asSeenNow(found, file);
      const runs = planRuns(store, plan.planKey);
      const { runSeconds } = estimatePlan(loaded, loadDurations(store));
      const remaining = runs.reduce(
        (sum, run, i) => (standingOf(run).state === 'done' ? sum : sum + (runSeconds[i] ?? 0)),
        0,
      );
      const tables = statusTables(plan, runs, {
        remainingSeconds: remaining,
        nowMs: Date.now(),
        advice: plan.status === 'running' ? null : retryAdvice(runs, loaded.plan.retries, file),
      });
      await printResult(render(tables, format, { colour: wantsColour() }));
    } finally {
      closeStore(store);
    }
  },
};

/** A plan whose runner was killed is still marked as running; the next start tells the store. */
function asSeenNow(plan: PlanRecord, file: string): PlanRecord {
  if (plan.status !== 'running' || isOwned(plan)) return plan;
  const message = `its runner (pid ${plan.runnerPid}) is gone: ibench plan resume ${file}`;
  return { ...plan, status: 'crashed', message };
}
