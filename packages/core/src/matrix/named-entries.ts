import type { Cell, PlanAxes } from './plan-file.ts';

/** One of the three axes, as cells call it. */
export type AxisName = keyof Cell['labels'];

/** Labels of an axis' entries, in their order. */
export function labelsOf(axes: PlanAxes, axis: AxisName): readonly string[] {
  return axes[`${axis}s`].map(({ label }) => label);
}

/**
 * Labels of the entries that a name stands for: the entry with this label, else all that were made from
 * what has this name.
 */
export function labelsNamed(axes: PlanAxes, axis: AxisName, name: string): readonly string[] {
  if (labelsOf(axes, axis).includes(name)) return [name];
  return axes[`${axis}s`]
    .filter((entry) => (entry as unknown as Record<AxisName, string>)[axis] === name)
    .map(({ label }) => label);
}
