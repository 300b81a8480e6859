import { z } from 'zod';
import { explainParameter, WORKLOAD_PARAMETERS } from '../workload/workload.ts';
import { isPath, labelOf } from './label.ts';
import type { BuildEntry, ConfigEntry, PlanAxes, WorkloadEntry } from './plan-file.ts';
import { describeValue, type PlanPath, type Problems } from './problem.ts';
import { didYouMean, isMap, readMap, readValue } from './read-map.ts';
import { changedName, countVariants, variants } from './variants.ts';

/** More runs than anyone waits for; a plan that asks for more has a slip in it. */
export const MAX_RUNS = 10_000;

/** What belongs to the whole axis, and turns a path in the file into one that can be opened. */
export interface AxisContext {
  /** Parameters of all workloads, and settings of all configurations; lists stand for each element. */
  readonly set: Changes;
  readonly settings: Changes;
  readonly resolvePath: (path: string) => string;
  readonly problems: Problems;
}

export type Changes = Readonly<Record<string, unknown>>;

const name = z
  .string({
    error: ({ input }) =>
      typeof input === 'number'
        ? 'expected a name; a number must be in quotes, since YAML reads 17.10 as 17.1'
        : 'expected a name',
  })
  .min(1, { error: 'expected a name' });
const label = z
  .string()
  .regex(/^[^\p{Cc}]{1,80}$/u, { error: 'expected 1 to 80 printable characters' })
  .optional();

/** Lists stand for each of their elements. */
const eachOf = <T>(value: z.ZodType<T>) =>
  z.union([value, z.array(value).min(1)], {
    error: 'expected a single value, or a list of at least one',
  });
const parameters = z.record(
  z.string(),
  eachOf(z.union([z.string(), z.number(), z.boolean(), z.null()])),
);
const settings = z.record(z.string(), eachOf(z.union([z.string(), z.number(), z.boolean()])));

const buildEntry = z.object({ build: name, tag: label });
const configEntry = z.object({ config: name, tag: label, settings: z.unknown().optional() });
const workloadEntry = z.object({ workload: name, name: label, set: z.unknown().optional() });

/** The builds of a plan; entries with problems are left out. */
export function readBuilds(value: unknown, context: AxisContext): BuildEntry[] {
  return readEntries(value, 'builds', context, (item, path) => {
    const entry = readMap(buildEntry, asMap(item, 'build'), path, context.problems);
    if (entry === undefined) return [];
    const build = isPath(entry.build) ? context.resolvePath(entry.build) : entry.build;
    return [{ build, label: entry.tag ?? labelOf(entry.build), path }];
  });
}

/** The configurations of a plan, one for every choice from lists of settings. */
export function readConfigs(value: unknown, context: AxisContext): ConfigEntry[] {
  return readEntries(value, 'configs', context, (item, path) => {
    const { problems } = context;
    const entry = readMap(configEntry, asMap(item, 'config'), path, problems);
    const own = readSettings(
      isMap(item) ? item.settings : undefined,
      [...path, 'settings'],
      problems,
    );
    if (entry === undefined || own === undefined) return [];
    const config = isPath(entry.config) ? context.resolvePath(entry.config) : entry.config;
    return expand({ ...context.settings, ...own }, path, problems).map(({ values, varied }) => {
      const settings = Object.fromEntries(
        Object.entries(values).map(([name, setting]) => [name, settingText(setting)]),
      );
      const changes = entry.tag === undefined ? settings : pick(settings, varied);
      return {
        config,
        settings,
        label: changedName(entry.tag ?? labelOf(entry.config), changes),
        path,
      };
    });
  });
}

/** The workloads of a plan, one for every choice from lists of parameters. */
export function readWorkloads(value: unknown, context: AxisContext): WorkloadEntry[] {
  return readEntries(value, 'workloads', context, (item, path) => {
    const { problems } = context;
    const entry = readMap(workloadEntry, asMap(item, 'workload'), path, problems);
    const own = readParameters(isMap(item) ? item.set : undefined, [...path, 'set'], problems);
    if (entry === undefined || own === undefined) return [];
    const workload = isPath(entry.workload) ? context.resolvePath(entry.workload) : entry.workload;
    return expand({ ...context.set, ...own }, path, problems).map(({ values: set, varied }) => {
      const { seed: _, ...named } = set;
      const changes = entry.name === undefined ? named : pick(set, varied);
      return {
        workload,
        set,
        label: changedName(entry.name ?? labelOf(entry.workload), changes),
        path,
      };
    });
  });
}

/** Parameters of workloads by name, as a plan sets them; undefined when there are problems. */
export function readParameters(
  value: unknown,
  path: PlanPath,
  problems: Problems,
): Changes | undefined {
  const changes = readChanges(parameters, value, path, problems);
  if (changes === undefined) return undefined;
  const before = problems.list.length;
  for (const [name, given] of Object.entries(changes)) {
    const parameter = WORKLOAD_PARAMETERS.find((known) => known === name);
    if (parameter === undefined) {
      const hint = didYouMean(name, WORKLOAD_PARAMETERS);
      problems.add([...path, name], `unknown workload parameter "${name}"${hint}`, 'key');
      continue;
    }
    [given].flat().forEach((one, i) => {
      const wrong = explainParameter(parameter, one);
      const place = Array.isArray(given) ? [...path, name, i] : [...path, name];
      if (wrong !== null) problems.add(place, wrong);
    });
  }
  return problems.list.length === before ? changes : undefined;
}

/** Settings of the server by name, as a plan sets them; undefined when there are problems. */
export function readSettings(
  value: unknown,
  path: PlanPath,
  problems: Problems,
): Changes | undefined {
  const changes = readChanges(settings, value, path, problems);
  if (changes === undefined) return undefined;
  const wrong = Object.keys(changes).filter((name) => !/^[a-z_]\w*(\.[a-z_]\w*)?$/i.test(name));
  for (const name of wrong) {
    problems.add([...path, name], `expected the name of a setting, got "${name}"`, 'key');
  }
  return wrong.length === 0 ? changes : undefined;
}

function readChanges(
  schema: z.ZodType<Changes>,
  value: unknown,
  path: PlanPath,
  problems: Problems,
): Changes | undefined {
  if (value === undefined) return {};
  if (!isMap(value)) {
    problems.add(path, `expected a map of name: value, got ${describeValue(value)}`);
    return undefined;
  }
  return readValue(schema, value, path, problems);
}

function readEntries<T extends { readonly label: string; readonly path: PlanPath }>(
  value: unknown,
  axis: keyof PlanAxes,
  { problems }: AxisContext,
  read: (item: unknown, path: PlanPath) => readonly T[],
): T[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length === 0) {
    problems.add([axis], `expected a list of at least one, got ${describeValue(value)}`);
    return [];
  }
  const entries = value.flatMap((item, i) => read(item, [axis, i]));
  return entries.filter((entry, i) => {
    const first = entries.findIndex(({ label }) => label === entry.label);
    if (first === i) return true;
    const where = ordinal(entries[first]!.path.at(-1) as number);
    problems.add(
      entry.path,
      `duplicate "${entry.label}" in ${axis}: ${where} is called so already; ${REMEDIES[axis]}`,
    );
    return false;
  });
}

const REMEDIES: Readonly<Record<keyof PlanAxes, string>> = {
  builds: 'leave one out, or give one another tag',
  configs: 'leave one out, or give one another tag',
  workloads: 'leave one out, or give one another name',
};

function ordinal(index: number): string {
  return `entry ${index + 1}`;
}

function expand(changes: Changes, path: PlanPath, problems: Problems) {
  const count = countVariants(changes);
  if (count > MAX_RUNS) {
    problems.add(path, `the lists make ${count} combinations, expected at most ${MAX_RUNS}`);
    return [];
  }
  return variants(changes);
}

function pick<T>(values: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, values[name] as T]));
}

/** An entry may be its name alone. */
function asMap(item: unknown, name: string): unknown {
  return isMap(item) ? item : { [name]: item };
}

/** A value as it stands in postgresql.conf. */
function settingText(value: unknown): string {
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}
