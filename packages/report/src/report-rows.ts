import type { RunRecord } from '@ibench/core';
import { findBase } from './relative-table.ts';
import { groupRuns, type RunGroup } from './run-group.ts';

/**
 * The rows of a report, in the one order that all its tables and charts have: the base, the first unless named, then the
 * others in the order in which their runs are given. None without runs.
 *
 * @throws UsageError when no row, or more than one, has the tag of the base
 */
export function reportRows(runs: readonly RunRecord[], baseTag: string | undefined): RunGroup[] {
  const groups = groupRuns(runs);
  if (groups.length === 0) return [];
  const base = findBase(groups, baseTag);
  return [base, ...groups.filter((group) => group !== base)];
}

/** The runs in the order of their rows. */
export function runsOf(rows: readonly RunGroup[]): RunRecord[] {
  return rows.flatMap(({ runs }) => runs);
}
