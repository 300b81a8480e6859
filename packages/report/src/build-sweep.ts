import { type Comparability, type RunRecord, UsageError } from '@ibench/core';
import type { ReportOptions } from './build-report.ts';
import { chooseSteps } from './choose-steps.ts';
import { BRIEF, comparabilityTable } from './comparability-table.ts';
import { findBase, rowsNamed } from './relative-table.ts';
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
 * where it has none, which its table says.
 * @throws UsageError for a base or a step that the runs do not have, and where no two rows did the same work.
 */
export function buildSweep(
  runs: readonly RunRecord[],
  comparability: Comparability,
  options: Pick<ReportOptions, 'base' | 'steps'> = {},
): Table[] {
  const groups = groupRuns(runs);
  const steps = throughputSteps(chooseSteps(stepNames(runs), options.steps));
  const wanted = options.base === undefined ? null : rowsNamed(groups, options.base);
  if (wanted?.length === 0) findBase(groups, options.base);
  const blocks = byLoad(groups).filter((block) => block.length > 1);
  if (blocks.length === 0) {
    throw new UsageError(
      `nothing to compare: expected at least two rows of one workload and number of clients, found ${describe(groups)}`,
    );
  }
  const tables = blocks.flatMap((block) =>
    blockTables(chooseBase(block, wanted, options.base), steps, comparability),
  );
  return [comparabilityTable(comparability, BRIEF), ...tables].filter((table) => table !== null);
}

/** The rows of one load. */
interface Block {
  readonly groups: readonly RunGroup[];
  readonly base: RunGroup;
  /** What is to be known about the choice of the base. */
  readonly notes: readonly string[];
}

/** @param wanted the rows that the name of the base means, of whatever load; null: none was named */
function chooseBase(
  block: readonly RunGroup[],
  wanted: readonly RunGroup[] | null,
  name: string | undefined,
): Block {
  const groups = groupRuns(block.flatMap(({ runs }) => runs));
  const bases = wanted?.filter((group) => block.includes(group)) ?? [];
  if (bases.length > 1) findBase(groups, name);
  const run = bases[0]?.runs[0];
  const found = groups.find(({ runs }) => run !== undefined && runs.includes(run));
  const base = found ?? groups[0]!;
  const isOther = wanted !== null && found === undefined;
  const note = `no run of ${name} did this work: the base of this table is ${base.label}`;
  return { groups, base, notes: isOther ? [note] : [] };
}

function blockTables(
  { groups, base, notes }: Block,
  steps: readonly string[],
  comparability: Comparability,
): (Table | null)[] {
  const load = loadOf(base);
  const rows = sweepRows(groups, base, steps);
  const order = rows.map(({ group }) => group);
  return [
    sweepTable(rows, { base, notes }, { steps, load }),
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
