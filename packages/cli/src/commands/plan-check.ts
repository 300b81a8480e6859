import fs from 'node:fs';
import path from 'node:path';
import { type PastRun, UsageError } from '@ibench/core';
import { formatBytes, freeBytes } from '@ibench/host';
import { FORMATS, type Format, render } from '@ibench/report';
import { closeStore, loadDurations, openStore } from '@ibench/store';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { buildsDirectory, printResult, wantsColour } from '../environment.ts';
import { STORE_NAME } from '../paths.ts';
import { estimatePlan, type PlanEstimate } from '../plan/estimate-plan.ts';
import { loadPlan } from '../plan/load-plan.ts';
import { type DataDisk, planTables } from '../plan/plan-tables.ts';
import { EXEC_OPTIONS } from './limits.ts';
import { BUILDS_OPTIONS, STORE_OPTIONS } from './run-options.ts';

const CHECK_OPTIONS = {
  ...STORE_OPTIONS,
  ...BUILDS_OPTIONS,
  ...EXEC_OPTIONS,
  format: { choices: FORMATS, default: 'text' as Format, describe: 'how to print' },
} as const satisfies Record<string, Options>;

type CheckArguments = InferredOptionTypes<typeof CHECK_OPTIONS> & { readonly file: string };

/** `ibench plan check`: everything about a plan that can be known without running it. */
export const planCheckCommand: CommandModule<object, CheckArguments> = {
  command: 'check <file>',
  describe: 'Check a plan, and print its cells, the order of its runs, and what they will take',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'plan (YAML)' })
      .options(CHECK_OPTIONS)
      .example('ibench plan check configs/plans/clients.yaml', 'a plan that comes with the tool')
      .example('ibench plan check my.yaml --format json', 'for other programs'),
  handler: async ({ file, db, runsDir, buildsDir, allowExec, format }) => {
    const loaded = await loadPlan(file, {
      buildsDirectory: buildsDirectory(buildsDir),
      runsDirectory: runsDir,
      allowExec,
    });
    const runs = path.resolve(runsDir);
    const past = pastRuns(path.resolve(db ?? path.join(runsDir, STORE_NAME)));
    const estimate = estimatePlan(loaded, past);
    const folder = loaded.plan.run.dataDir ?? runs;
    const disk = { folder, freeBytes: await freeBytes(folder) };
    refuseFullDisk(file, estimate, disk);
    const tables = planTables(loaded, estimate, disk);
    await printResult(render(tables, format, { colour: wantsColour() }));
  },
};

/** Earlier runs of the store; none where there is no store yet. */
function pastRuns(file: string): PastRun[] {
  if (!fs.existsSync(file)) return [];
  const store = openStore(file, { readonly: true });
  try {
    return loadDurations(store);
  } finally {
    closeStore(store);
  }
}

/** What does not fit even when every run needs no more than its data after l.x cannot be run. */
function refuseFullDisk(file: string, { cells, keptBytes }: PlanEstimate, disk: DataDisk): void {
  const largest = Math.max(...[...cells.values()].map(({ space }) => space.loadedBytes));
  if (disk.freeBytes === null || largest + keptBytes <= disk.freeBytes) return;
  throw new UsageError(
    `${file}: the data of the largest run has ${formatBytes(largest)} after l.x${keptBytes === 0 ? '' : ` and what is kept ${formatBytes(keptBytes)}`}, in ${disk.folder} are ${formatBytes(disk.freeBytes)} free: expected more space, fewer rows, or another folder (--runs-dir, or data_dir in the plan)`,
  );
}
