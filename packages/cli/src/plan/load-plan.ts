import path from 'node:path';
import { checkPlan, expandPlan, type PlanFile, type PlannedRun, planCells } from '@ibench/core';
import { checkCells } from './check-cells.ts';
import { checkHostBounds } from './check-host-bounds.ts';
import { checkRunOptions } from './check-run-options.ts';
import { readPlanSource } from './plan-source.ts';
import { resolveAxes } from './resolve-axes.ts';
import { type ResolveCell, resolveCells } from './resolve-cells.ts';

/** A plan that could be run: everything that its file names was found. */
export interface LoadedPlan {
  readonly plan: PlanFile;
  /** Text of its file. */
  readonly text: string;
  /** Its runs in order. */
  readonly runs: readonly PlannedRun[];
  /** Build, configuration and workload of a cell. */
  readonly resolve: ResolveCell;
}

export interface LoadPlanOptions {
  /** Where builds are registered. */
  readonly buildsDirectory: string;
  /** Where runs go. */
  readonly runsDirectory: string;
  /** May configurations have the server run commands? */
  readonly allowExec: boolean;
}

/**
 * Reads a plan and finds what it names. Paths in it are relative to its folder.
 *
 * @throws UsageError with all problems of the file, each with file, line and column
 */
export async function loadPlan(
  file: string,
  { buildsDirectory, runsDirectory, allowExec }: LoadPlanOptions,
): Promise<LoadedPlan> {
  const source = readPlanSource(file);
  const folder = path.dirname(path.resolve(file));
  const { plan, axes, problems } = checkPlan(source.value, (name) => path.resolve(folder, name));
  const found = await resolveAxes(axes, buildsDirectory);
  const all = [...problems, ...found.problems];
  if (plan === null || all.length > 0) throw source.error(all);
  const cells = planCells(plan, plan.excludes);
  const { resolve, problems: refused } = await resolveCells(cells, axes, found.find);
  if (refused.length > 0) throw source.error(refused);
  const workloads = new Set(cells.map((cell) => resolve(cell).workload.workload));
  const unfit = [
    ...checkCells(plan, resolve, allowExec),
    ...(await checkRunOptions(plan, [...workloads])),
    ...(await checkHostBounds(plan, runsDirectory)),
  ];
  if (unfit.length > 0) throw source.error(unfit);
  return { plan, text: source.text, runs: expandPlan(plan), resolve };
}
