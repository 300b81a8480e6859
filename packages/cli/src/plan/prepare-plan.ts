import { createHash } from 'node:crypto';
import path from 'node:path';
import type { PlannedRun } from '@ibench/core';
import { checkDevices, serverUser } from '@ibench/host';
import type { NewPlanRun } from '@ibench/store';
import { ACTIVITY_INTERVAL_S } from '../commands/run-options.ts';
import { labelOf, readLoadOptions } from '../load-options.ts';
import { checkTag, type RunOptions } from '../run/run-options.ts';
import { isDebugBuild, type OwnServerChoice } from '../server-choice.ts';
import { branchKey } from './branch-key.ts';
import type { LoadedPlan } from './load-plan.ts';

/** A run of a plan with everything that was decided, and checked, before the first one starts. */
export interface PreparedRun {
  readonly planned: PlannedRun;
  readonly options: Omit<RunOptions, 'planRunKey' | 'branch' | 'server'>;
  readonly server: OwnServerChoice;
  readonly stored: NewPlanRun;
  /** Runs with the same key can start from the same data. */
  readonly branchKey: string;
}

export type PrepareChoice = Pick<RunOptions, 'runsDirectory' | 'commandLine' | 'limits' | 'canary'>;

/**
 * Decides on every run of a plan.
 *
 * @throws UsageError for options that cannot be used on this host
 */
export function preparePlan(loaded: LoadedPlan, choice: PrepareChoice): PreparedRun[] {
  checkDevices(loaded.plan.run.devices);
  return loaded.runs.map((planned) => prepareRun(loaded, planned, choice));
}

function prepareRun(
  { plan, resolve }: LoadedPlan,
  planned: PlannedRun,
  choice: PrepareChoice,
): PreparedRun {
  const { cell, ordinal, repeat } = planned;
  const { build, config, workload } = resolve(cell);
  const { driver, libpq, spin, pin, devices, keepData, dataDir } = plan.run;
  const { runsDirectory, commandLine, limits, canary } = choice;
  const common = { runsDirectory, commandLine, limits, canary };
  const load = readLoadOptions({ driver, libpq: libpq ?? undefined, spin, pin }, workload.workload);
  const server: OwnServerChoice = {
    kind: 'own',
    build,
    config,
    user: serverUser(plan.run.serverUser ?? undefined),
    dataDirectory: dataDir === null ? null : path.join(dataDir, `${plan.name}-${ordinal}`),
    keepData,
    listenPort: null,
  };
  const tag = labelOf(checkTag(cell.tag), load, isDebugBuild(server));
  return {
    planned,
    server,
    options: {
      ...load,
      ...common,
      workload,
      tag,
      devices,
      activityIntervalS: ACTIVITY_INTERVAL_S,
      profile: plan.run.profile,
    },
    branchKey: branchKey(plan.reuse, { build, config, workload: workload.workload }),
    stored: {
      ordinal,
      repeat,
      tag,
      build: build.name,
      config: config.name,
      workload: workload.name,
      overrides: JSON.stringify(cell.overrides),
      buildSha256: build.fingerprint.digest,
      configSha256: sha256(config.text),
      workloadSha256: sha256(JSON.stringify(workload.workload)),
    },
  };
}

/** SHA-256 of a text, hexadecimal. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
