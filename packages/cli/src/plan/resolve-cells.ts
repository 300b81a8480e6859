import { type Cell, type PlanAxes, type PlanProblem, UsageError } from '@ibench/core';
import type { ServerConfig } from '@ibench/host';
import { configFor } from '../read-config.ts';
import type { FindCell, NamedCell } from './resolve-axes.ts';

/** What a cell names, its configuration as its build takes it. */
export interface ResolvedCell extends Omit<NamedCell, 'config'> {
  readonly config: ServerConfig;
}

export type ResolveCell = (cell: Cell) => ResolvedCell;

/** Asks each build whether it takes the configurations that it meets in a plan; refusals are collected. */
export async function resolveCells(
  cells: readonly Cell[],
  axes: PlanAxes,
  find: FindCell,
): Promise<{ readonly resolve: ResolveCell; readonly problems: readonly PlanProblem[] }> {
  const problems: PlanProblem[] = [];
  const configs = new Map<string, ServerConfig>();
  const asked = new Set<string>();
  for (const cell of cells) {
    const key = keyOf(cell);
    if (asked.has(key)) continue;
    asked.add(key);
    const { build, config } = find(cell);
    try {
      configs.set(key, await configFor(config, build));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const path = axes.configs.find(({ label }) => label === cell.labels.config)?.path ?? [];
      problems.push({ path, at: 'value', message: error.message });
    }
  }
  return {
    problems,
    resolve: (cell) => ({ ...find(cell), config: configs.get(keyOf(cell)) as ServerConfig }),
  };
}

function keyOf({ labels }: Cell): string {
  return JSON.stringify([labels.build, labels.config]);
}
