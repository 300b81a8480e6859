import path from 'node:path';
import { UsageError } from '@ibench/core';
import { FORMATS, type Format, render } from '@ibench/report';
import { closeStore, findPlan, loadDurations, openStore, planRuns } from '@ibench/store';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { buildsDirectory, printResult, wantsColour } from '../environment.ts';
import { STORE_NAME } from '../paths.ts';
import { estimatePlan } from '../plan/estimate-plan.ts';
import { loadPlan } from '../plan/load-plan.ts';
import { standingOf } from '../plan/standing.ts';
import { statusTables } from '../plan/status-tables.ts';
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
    const loaded = await loadPlan(file, buildsDirectory(buildsDir));
    const store = openStore(path.resolve(db ?? path.join(runsDir, STORE_NAME)), { readonly: true });
    try {
      const plan = findPlan(store, loaded.plan.name);
      if (plan === null) {
        throw new UsageError(
          `plan ${loaded.plan.name} was never begun in ${store.path}: ibench plan run ${file}`,
        );
      }
      const runs = planRuns(store, plan.planKey);
      const { runSeconds } = estimatePlan(loaded, loadDurations(store));
      const remaining = runs.reduce(
        (sum, run, i) => (standingOf(run).state === 'done' ? sum : sum + (runSeconds[i] ?? 0)),
        0,
      );
      const tables = statusTables(plan, runs, remaining, Date.now());
      await printResult(render(tables, format, { colour: wantsColour() }));
    } finally {
      closeStore(store);
    }
  },
};
