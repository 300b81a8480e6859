import { labelsNamed, labelsOf } from './named-entries.ts';
import type { Cell, PlanAxes, PlanBase } from './plan-file.ts';
import { describeValue, type Problems } from './problem.ts';
import { didYouMean } from './read-map.ts';

/**
 * What the other cells are compared with.
 *
 * @param cells those that are run
 * @returns null when the plan names none, or when there is a problem
 */
export function readBase(
  value: unknown,
  axes: PlanAxes,
  cells: readonly Cell[],
  problems: Problems,
): PlanBase | null {
  if (value === undefined) return null;
  const fail = (message: string): null => {
    problems.add(['base'], message);
    return null;
  };
  if (typeof value !== 'string') {
    return fail(`expected a build, config or tag of this plan, got ${describeValue(value)}`);
  }
  const found = candidates(value, axes, cells);
  const base = found[0];
  if (base === undefined) {
    const tags = cells.map(({ tag }) => tag);
    const known = new Set([...labelsOf(axes, 'build'), ...labelsOf(axes, 'config'), ...tags]);
    return fail(`no build, config or tag "${value}" in this plan${didYouMean(value, [...known])}`);
  }
  if (found.length > 1) {
    const all = found.map(({ kind, label }) => `${kind} ${label}`).join(', ');
    return fail(`"${value}" stands for ${all}: expected a name of one of them`);
  }
  return cells.some((cell) => isBase(cell, base))
    ? base
    : fail(`all cells of "${value}" are excluded: expected a base that is run`);
}

function candidates(name: string, axes: PlanAxes, cells: readonly Cell[]): PlanBase[] {
  return [
    ...(['build', 'config'] as const).flatMap((kind) =>
      labelsNamed(axes, kind, name).map((label) => ({ kind, label })),
    ),
    ...(cells.some(({ tag }) => tag === name) ? [{ kind: 'tag' as const, label: name }] : []),
  ];
}

/** True when others are compared with this cell. */
export function isBase({ labels, tag }: Cell, { kind, label }: PlanBase): boolean {
  return (kind === 'tag' ? tag : labels[kind]) === label;
}
