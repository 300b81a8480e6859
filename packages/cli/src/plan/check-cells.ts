import { type Cell, type PlanFile, type PlanProblem, planCells, type Workload } from '@ibench/core';
import { lackOfConnections } from '../connections.ts';
import { refusedCommands } from '../refused-commands.ts';
import type { ResolveCell } from './resolve-cells.ts';

/**
 * What of a plan's cells cannot be run although each entry is right by itself.
 *
 * @param allowExec may configurations have the server run commands?
 */
export function checkCells(
  plan: PlanFile,
  resolve: ResolveCell,
  allowExec: boolean,
): PlanProblem[] {
  const cells = planCells(plan, plan.excludes);
  const problems = [
    ...checkBuilds(plan, cells, resolve),
    ...checkConnections(plan, cells, resolve),
    ...checkParameters(plan, cells, resolve),
    ...(allowExec ? [] : checkCommands(plan, cells, resolve)),
  ];
  return problems.filter(
    ({ message }, i) => problems.findIndex((other) => other.message === message) === i,
  );
}

/** Builds that need a word of permission, and different ones that results would have under one name. */
function checkBuilds(plan: PlanFile, cells: readonly Cell[], resolve: ResolveCell): PlanProblem[] {
  const digests = new Map<string, string>();
  return cells.flatMap((cell) => {
    const { build } = resolve(cell);
    const path = plan.builds.find(({ label }) => label === cell.labels.build)?.path ?? [];
    const messages: string[] = [];
    if (build.isDebug && !plan.run.allowDebugBuild) {
      const reasons = build.debugReasons.join(', ');
      messages.push(
        `build ${build.name} is a debug build (${reasons}), whose numbers mislead: expected another, or "run: { allow_debug_build: true }"`,
      );
    }
    const { digest } = build.fingerprint;
    if ((digests.get(build.name) ?? digest) !== digest) {
      messages.push(
        `build ${build.name} is another binary than the build of this name before it: expected one binary per name; register one of them (ibench builds add)`,
      );
    }
    digests.set(build.name, digest);
    return messages.map((message): PlanProblem => ({ path, at: 'value', message }));
  });
}

function checkConnections(
  plan: PlanFile,
  cells: readonly Cell[],
  resolve: ResolveCell,
): PlanProblem[] {
  return cells.flatMap((cell): PlanProblem[] => {
    const { config, workload } = resolve(cell);
    const { labels } = cell;
    const message = lackOfConnections(config, workload.workload, labels);
    if (message === null) return [];
    const path = plan.workloads.find(({ label }) => label === labels.workload)?.path ?? [];
    return [{ path, at: 'value', message }];
  });
}

/** Parameters that only some workloads have a use for. */
const USES: Readonly<
  Record<string, { readonly isUsed: (workload: Workload) => boolean; readonly expected: string }>
> = {
  copy_format: {
    isUsed: ({ insert_method }) => insert_method === 'copy',
    expected: 'insert_method: copy',
  },
  prepared_deletes: { isUsed: ({ deletes }) => deletes, expected: 'deletes: true' },
  getmin_statements: { isUsed: ({ deletes }) => deletes, expected: 'deletes: true' },
};

/** Parameters that the plan sets for workloads none of which has a use for them. */
function checkParameters(
  plan: PlanFile,
  cells: readonly Cell[],
  resolve: ResolveCell,
): PlanProblem[] {
  return Object.entries(USES).flatMap(([name, { isUsed, expected }]): PlanProblem[] => {
    const setting = plan.workloads.filter(({ set }) => name in set);
    const labels = setting.map(({ label }) => label);
    const concerned = cells.filter((cell) => labels.includes(cell.labels.workload));
    if (concerned.length === 0) return [];
    if (concerned.some((cell) => isUsed(resolve(cell).workload.workload))) return [];
    const message = `${name} is set and not used: expected "${expected}" too`;
    return [{ path: setting[0]!.path, at: 'value', message }];
  });
}

function checkCommands(
  plan: PlanFile,
  cells: readonly Cell[],
  resolve: ResolveCell,
): PlanProblem[] {
  return cells.flatMap((cell): PlanProblem[] => {
    const message = refusedCommands(resolve(cell).config);
    if (message === null) return [];
    const path = plan.configs.find(({ label }) => label === cell.labels.config)?.path ?? [];
    return [{ path, at: 'value', message }];
  });
}
