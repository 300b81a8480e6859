import { type Comparability, type RunRecord, UsageError } from '@ibench/core';
import type { ReportOptions } from './build-report.ts';
import { chooseSteps } from './choose-steps.ts';
import { BRIEF, comparabilityTable } from './comparability-table.ts';
import { findBase } from './relative-table.ts';
import { groupRuns, type RunGroup, sameLoad, stepNames } from './run-group.ts';
import { sweepChangesTable } from './sweep-changes-table.ts';
import { sweepDictionaryTable } from './sweep-dictionary-table.ts';
import { sweepRows, sweepTable } from './sweep-table.ts';
import type { Table } from './table.ts';
import { throughputSteps } from './throughput.ts';

/**
 * The verdict of a sweep over configurations or builds: what the runs differ in besides; then for each
 * workload and number of clients, which are never mixed, the relative throughput of every row, what moved
 * with the changes, and what each row is. The base is the row with that tag, in each block its first row
 * where it has none.
 * @throws UsageError for a base or a step that the runs do not have, and where no two rows did the same work.
 */
export function buildSweep(
  runs: readonly RunRecord[],
  comparability: Comparability,
  options: ReportOptions = {},
): Table[] {
  const groups = groupRuns(runs);
  const steps = throughputSteps(chooseSteps(stepNames(runs), options.steps));
  const hasBase = (block: readonly RunGroup[]): boolean =>
    block.some(({ label, tag }) => label === options.base || tag === options.base);
  if (options.base !== undefined && !hasBase(groups)) findBase(groups, options.base);
  const blocks = byLoad(groups)
    .filter((block) => block.length > 1)
    .map((block) => groupRuns(block.flatMap((group) => group.runs)));
  if (blocks.length === 0) {
    throw new UsageError(
      `nothing to compare: expected at least two rows of one workload and number of clients, found ${describe(groups)}`,
    );
  }
  const tables = blocks.flatMap((block) => {
    const base = findBase(block, hasBase(block) ? options.base : undefined);
    return blockTables(block, base, steps, comparability);
  });
  return [comparabilityTable(comparability, BRIEF), ...tables].filter((table) => table !== null);
}

function blockTables(
  block: readonly RunGroup[],
  base: RunGroup,
  steps: readonly string[],
  comparability: Comparability,
): (Table | null)[] {
  const load = loadOf(base);
  const rows = sweepRows(block, base, steps);
  const order = rows.map(({ group }) => group);
  return [
    sweepTable(rows, base, steps, load),
    sweepChangesTable(rows, steps, load),
    sweepDictionaryTable(order, base, comparability, load),
  ];
}

function byLoad(groups: readonly RunGroup[]): RunGroup[][] {
  const blocks: RunGroup[][] = [];
  for (const group of groups) {
    const block = blocks.find((other) => sameLoad(other[0]!, group));
    if (block === undefined) blocks.push([group]);
    else block.push(group);
  }
  return blocks;
}

function loadOf({ runs }: RunGroup): string {
  const { workload, clients } = runs[0]!;
  return `${workload}, ${clients === 1 ? '1 client' : `${clients} clients`}`;
}

function describe(groups: readonly RunGroup[]): string {
  if (groups.length === 0) return 'no runs';
  return groups.map((group) => `${group.label} (${loadOf(group)})`).join('; ');
}
