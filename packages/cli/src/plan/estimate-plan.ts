import os from 'node:os';
import {
  type Cell,
  estimateSpace,
  estimateTime,
  type PastRun,
  type PlannedRun,
  type SpaceEstimate,
  type TimeEstimate,
  totalSeconds,
} from '@ibench/core';
import { maxWalBytes } from '../setting-of.ts';
import type { LoadedPlan } from './load-plan.ts';

/** What a cell's runs are expected to take. */
export interface CellEstimate {
  readonly space: SpaceEstimate;
  readonly time: TimeEstimate;
}

/** What a plan is expected to take. */
export interface PlanEstimate {
  readonly cells: ReadonlyMap<Cell, CellEstimate>;
  /** Seconds of each run, in the order of the plan; those that start from a branch are shorter. */
  readonly runSeconds: readonly number[];
  /** All runs and the pauses between them. */
  readonly totalSeconds: number;
  /** Disk for the largest run and for what is kept beside it. */
  readonly peakBytes: number;
  readonly keptBytes: number;
}

/** Estimates space and time of a plan from its workloads and from earlier runs. */
export function estimatePlan(loaded: LoadedPlan, past: readonly PastRun[]): PlanEstimate {
  const { plan, runs, resolve } = loaded;
  const cells = new Map<Cell, CellEstimate>();
  for (const { cell } of runs) {
    if (cells.has(cell)) continue;
    const { build, config, workload } = resolve(cell);
    cells.set(cell, {
      space: estimateSpace(workload.workload, maxWalBytes(config)),
      time: estimateTime(
        {
          build: build.name,
          config: config.name,
          workload: workload.name,
          parameters: workload.workload,
        },
        past,
        os.availableParallelism(),
      ),
    });
  }
  const of = ({ cell }: PlannedRun) => cells.get(cell) as CellEstimate;
  const makers = branchMakers(runs);
  const runSeconds = runs.map((run) =>
    totalSeconds(of(run).time, makers.has(run) ? null : plan.reuse),
  );
  return {
    cells,
    runSeconds,
    totalSeconds: sum(runSeconds) + plan.cooldownSeconds * (runs.length - 1),
    peakBytes: Math.max(...runs.map((run) => of(run).space.peakBytes)),
    keptBytes: sum([
      ...(plan.run.keepData ? runs.slice(1).map((run) => of(run).space.peakBytes) : []),
      ...(plan.reuse === null ? [] : [...makers].map((run) => of(run).space.loadedBytes)),
    ]),
  };
}

/** The first run of each build and workload: the others can start from its branch. */
export function branchMakers(runs: readonly PlannedRun[]): Set<PlannedRun> {
  const makers = new Map<string, PlannedRun>();
  for (const run of runs) {
    const { build, workload } = run.cell.labels;
    const branch = JSON.stringify([build, workload]);
    if (!makers.has(branch)) makers.set(branch, run);
  }
  return new Set(makers.values());
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
