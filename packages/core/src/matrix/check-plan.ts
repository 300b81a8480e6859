import {
  type AxisContext,
  readBuilds,
  readConfigs,
  readParameters,
  readSettings,
  readWorkloads,
} from './axes.ts';
import { readBase } from './base.ts';
import { checkCells } from './check-cells.ts';
import { readExcludes } from './excludes.ts';
import { planCells } from './expand-plan.ts';
import { checkIdleValues } from './idle-values.ts';
import type { PlanAxes, PlanFile } from './plan-file.ts';
import { OPTION_KEYS, readOptions } from './plan-options.ts';
import { describeValue, type PlanProblem, Problems } from './problem.ts';
import { checkKeys, isMap } from './read-map.ts';

/** What a plan's file says. */
export interface PlanReading {
  /** Null when there are problems. */
  readonly plan: PlanFile | null;
  /** The entries that could be read, so that more can be checked in a plan with problems. */
  readonly axes: PlanAxes;
  readonly problems: readonly PlanProblem[];
}

const NO_AXES: PlanAxes = { builds: [], configs: [], workloads: [] };

const AXES: Readonly<Record<keyof PlanAxes, string>> = {
  builds: 'a list of builds, such as [pg17.9, pg18.4]',
  configs: 'a list of configurations, such as [base]',
  workloads: 'a list of presets or workload files, such as [quick]',
};

/** Keys that make the entries of the axes. */
const AXIS_KEYS: readonly string[] = [...Object.keys(AXES), 'set', 'settings'];

/**
 * Reads a plan from the value of its file, and checks all that can be known from the file alone. All
 * problems are found at once, but for those that would only follow from others.
 *
 * @param value the file's content as maps, lists and scalars
 * @param resolvePath makes a path in the file absolute
 */
export function checkPlan(value: unknown, resolvePath: (path: string) => string): PlanReading {
  const problems = new Problems();
  if (!isMap(value)) {
    const expected = 'expected a map with name, builds, configs, workloads and repeats';
    const isEmpty = value === null || value === undefined;
    problems.add([], isEmpty ? `empty: ${expected}` : `${expected}, got ${describeValue(value)}`);
    return { plan: null, axes: NO_AXES, problems: problems.list };
  }
  checkKeys(value, [...OPTION_KEYS, ...AXIS_KEYS, 'excludes', 'base'], [], problems);
  for (const [key, meaning] of Object.entries(AXES)) {
    if (value[key] === undefined) problems.add([], `missing key "${key}": expected ${meaning}`);
  }
  const axes = readAxes(value, resolvePath, problems);
  const options = readOptions(value, resolvePath, problems);
  checkIdleValues(value, problems);
  const selection = readSelection(value, axes, options?.repeats ?? 1, problems);
  const plan =
    options === undefined || problems.list.length > 0
      ? null
      : { ...options, ...axes, ...selection };
  return { plan, axes, problems: problems.list };
}

function readAxes(
  value: Readonly<Record<string, unknown>>,
  resolvePath: (path: string) => string,
  problems: Problems,
): PlanAxes {
  const context: AxisContext = {
    set: readParameters(value.set, ['set'], problems) ?? {},
    settings: readSettings(value.settings, ['settings'], problems) ?? {},
    resolvePath,
    problems,
  };
  return {
    builds: readBuilds(value.builds, context),
    configs: readConfigs(value.configs, context),
    workloads: readWorkloads(value.workloads, context),
  };
}

/** Excludes and base name entries of the axes: with a problem there they cannot be judged. */
function readSelection(
  value: Readonly<Record<string, unknown>>,
  axes: PlanAxes,
  repeats: number,
  problems: Problems,
): Pick<PlanFile, 'excludes' | 'base'> {
  const isSound =
    Object.values(axes).every((entries) => entries.length > 0) &&
    !problems.list.some(({ path }) => AXIS_KEYS.includes(String(path[0])));
  if (!isSound) return { excludes: [], base: null };
  const excludes = readExcludes(value.excludes, axes, problems);
  checkCells(planCells(axes, []), excludes, repeats, problems);
  return { excludes, base: readBase(value.base, axes, planCells(axes, excludes), problems) };
}
