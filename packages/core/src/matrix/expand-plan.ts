import { isExcluded } from './excludes.ts';
import { orderRuns } from './order-runs.ts';
import type { Cell, PlanAxes, PlanExclude, PlanFile, PlannedRun } from './plan-file.ts';

/** All runs of a plan in its order. */
export function expandPlan(plan: PlanFile): PlannedRun[] {
  return orderRuns(planCells(plan, plan.excludes), plan.repeats, plan.order);
}

/**
 * The cells of the matrix that are not excluded. Builds change fastest, then configs, then workloads: what
 * is most often compared is run close together in time.
 */
export function planCells(axes: PlanAxes, excludes: readonly PlanExclude[]): Cell[] {
  return allCells(axes).filter((cell) => !excludes.some((exclude) => isExcluded(cell, exclude)));
}

function allCells({ builds, configs, workloads }: PlanAxes): Cell[] {
  return workloads.flatMap((workload) =>
    configs.flatMap((config) =>
      builds.map((build) => ({
        build: build.build,
        config: config.config,
        workload: workload.workload,
        overrides: { settings: config.settings, set: workload.set },
        labels: { build: build.label, config: config.label, workload: workload.label },
        tag: `${build.label}.${config.label}`,
      })),
    ),
  );
}
