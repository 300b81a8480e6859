import {
  type Cell,
  type PlanAxes,
  type PlanPath,
  type PlanProblem,
  RunError,
  UsageError,
  type WorkloadEntry,
} from '@ibench/core';
import { type Build, type Config, findBuild } from '@ibench/host';
import { namesIn, WORKLOADS } from '../paths.ts';
import { type NamedWorkload, readWorkload } from '../read-workload.ts';
import { readPlanConfig } from './plan-config.ts';

/** What a cell names, its configuration not yet resolved for its build. */
export interface NamedCell {
  readonly build: Build;
  readonly config: Config;
  readonly workload: NamedWorkload;
}

export type FindCell = (cell: Cell) => NamedCell;

/** Finds every build, configuration and workload of a plan; what is wrong with them is collected. */
export async function resolveAxes(
  axes: PlanAxes,
  buildsDirectory: string,
): Promise<{ readonly find: FindCell; readonly problems: readonly PlanProblem[] }> {
  const problems: PlanProblem[] = [];
  const attempt = async <T>(path: PlanPath, find: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof RunError)) throw error;
      problems.push({ path, at: 'value', message: error.message });
      return undefined;
    }
  };
  const builds = new Map<string, Build | undefined>();
  for (const { label, build, path } of axes.builds) {
    builds.set(label, await attempt(path, () => findBuild(build, buildsDirectory)));
  }
  const configs = new Map<string, Config | undefined>();
  for (const entry of axes.configs) {
    configs.set(entry.label, await attempt(entry.path, () => readPlanConfig(entry)));
  }
  const workloads = new Map<string, NamedWorkload | undefined>();
  for (const entry of axes.workloads) {
    workloads.set(entry.label, await attempt(entry.path, () => readPlanWorkload(entry)));
  }
  return {
    problems,
    find: ({ labels }) => ({
      build: builds.get(labels.build) as Build,
      config: configs.get(labels.config) as Config,
      workload: workloads.get(labels.workload) as NamedWorkload,
    }),
  };
}

function readPlanWorkload({ workload, set, label }: WorkloadEntry): NamedWorkload {
  const read = readWorkload({ name: workload, overrides: set });
  if (label !== read.name && namesIn(WORKLOADS, '.yaml').includes(label)) {
    throw new UsageError(
      `"${label}" is the name of a preset, this is another workload: expected another name`,
    );
  }
  return { ...read, name: label };
}
