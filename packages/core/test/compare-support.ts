import type { Area, ComparedRun, Difference, Observed } from '../src/index.ts';

/** A run with the id of its tag and repeat, named after its build and config. */
export function comparedRun(build: string, config = 'base', repeat = 1): ComparedRun {
  const tag = `${build}.${config}`;
  return { runId: `${tag}#${repeat}`, tag, build, config, workload: 'tiny' };
}

/** What runs have under a name, in their order; undefined: they have no such setting. */
export function difference(
  area: Area,
  name: string,
  runs: readonly ComparedRun[],
  values: readonly (string | null | undefined)[],
  more: Partial<Observed> = {},
): Difference {
  const entries = runs.flatMap(({ runId }, i) => {
    const value = values[i];
    const observed: Observed = {
      value: value ?? null,
      requested: false,
      isDefault: false,
      ...more,
    };
    return value === undefined ? [] : [[runId, observed] as const];
  });
  return { area, name, byRun: new Map(entries) };
}
