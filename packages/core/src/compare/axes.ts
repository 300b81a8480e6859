import type { ComparedRun } from './difference.ts';

/** What a set of runs varies on purpose: the parts of their identity in which they differ. */
export const AXES = ['build', 'config', 'workload'] as const;
export type Axis = (typeof AXES)[number];

/** The axes under test, in the order of AXES; none where all runs have the same names. */
export function axesOf(runs: readonly ComparedRun[]): Axis[] {
  return AXES.filter((axis) => new Set(runs.map((run) => run[axis])).size > 1);
}
