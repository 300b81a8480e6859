import { type Cell, type PlanFile, type PlanProblem, planCells } from '@ibench/core';
import { connectionsNeeded, RESERVED_CONNECTIONS } from '../connections.ts';
import type { ResolveCell } from './resolve-cells.ts';
import { settingOf } from './setting-of.ts';

/** PostgreSQL's own default of max_connections. */
const DEFAULT_MAX_CONNECTIONS = 100;

/** What of a plan's cells cannot be run although each entry is right by itself. */
export function checkCells(plan: PlanFile, resolve: ResolveCell): PlanProblem[] {
  const cells = planCells(plan, plan.excludes);
  const problems = [
    ...checkBuilds(plan, cells, resolve),
    ...checkConnections(plan, cells, resolve),
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
    const needed = connectionsNeeded(workload.workload) + RESERVED_CONNECTIONS;
    const available = Number(settingOf(config, 'max_connections') ?? DEFAULT_MAX_CONNECTIONS);
    if (needed <= available) return [];
    const { labels } = cell;
    const path = plan.workloads.find(({ label }) => label === labels.workload)?.path ?? [];
    const message = `workload ${labels.workload} needs ${needed} connections, config ${labels.config} has max_connections = ${available}: expected at least ${needed}`;
    return [{ path, at: 'value', message }];
  });
}
