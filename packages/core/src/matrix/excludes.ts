import { z } from 'zod';
import { type AxisName, labelsNamed, labelsOf } from './named-entries.ts';
import type { Cell, PlanAxes, PlanExclude } from './plan-file.ts';
import { describeValue, type PlanPath, type Problems } from './problem.ts';
import { didYouMean, readMap } from './read-map.ts';

const names = z
  .union([z.string(), z.array(z.string()).min(1)], {
    error: 'expected a name, or a list of names',
  })
  .optional();
const schema = z.object({ build: names, config: names, workload: names });

/** The excludes of a plan; those with problems are left out. */
export function readExcludes(value: unknown, axes: PlanAxes, problems: Problems): PlanExclude[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    problems.add(['excludes'], `expected a list of cells, got ${describeValue(value)}`);
    return [];
  }
  return value.flatMap((item, i) => readExclude(item, ['excludes', i], axes, problems));
}

function readExclude(
  item: unknown,
  path: PlanPath,
  axes: PlanAxes,
  problems: Problems,
): PlanExclude[] {
  const entry = readMap(schema, item, path, problems);
  if (entry === undefined) return [];
  if (Object.keys(entry).length === 0) {
    problems.add(path, 'expected at least one of build, config, workload, got an empty map');
    return [];
  }
  const before = problems.list.length;
  const find = (axis: AxisName): readonly string[] | null => {
    const given = entry[axis];
    return given === undefined
      ? null
      : [given].flat().flatMap((name) => {
          const labels = labelsNamed(axes, axis, name);
          if (labels.length === 0) {
            const hint = didYouMean(name, labelsOf(axes, axis));
            problems.add(
              [...path, axis],
              `excludes no cell: no ${axis} "${name}" in this plan${hint}`,
            );
          }
          return labels;
        });
  };
  const exclude = { build: find('build'), config: find('config'), workload: find('workload') };
  return problems.list.length === before ? [exclude] : [];
}

/** True when the exclude leaves the cell out. */
export function isExcluded({ labels }: Cell, exclude: PlanExclude): boolean {
  return (['build', 'config', 'workload'] as const).every(
    (axis) => exclude[axis]?.includes(labels[axis]) ?? true,
  );
}
