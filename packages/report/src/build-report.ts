import { isQueryStep, type RunRecord, UsageError } from '@ibench/core';
import { fairnessTable } from './fairness-table.ts';
import { mergeSteps } from './merge-steps.ts';
import { detailsTable, metricsTable } from './metrics-tables.ts';
import { findBase, relativeTable } from './relative-table.ts';
import { groupRuns, type RunGroup, stepNames } from './run-group.ts';
import { slaTable } from './sla-table.ts';
import { summaryTable } from './summary-table.ts';
import type { Table } from './table.ts';
import { histogramTable, percentilesTable } from './times-tables.ts';
import { warningsTable } from './warnings-table.ts';

export interface ReportOptions {
  /** Tag of the row that others are compared with; the first row unless given. */
  readonly base?: string | undefined;
  /** Steps to report; all unless given. */
  readonly steps?: readonly string[] | undefined;
}

/**
 * The tables of a report (SPEC 6): warnings if there are any, throughput, relative throughput where
 * there are rows to compare, background rate where there are read-write steps, then the tables of each
 * step; those of all steps in one where there is a single row. Repeats of one tag share a row. Without runs there are no tables.
 * @throws UsageError for a base or a step that the runs do not have.
 */
export function buildReport(runs: readonly RunRecord[], options: ReportOptions = {}): Table[] {
  if (runs.length === 0) return [];
  const groups = groupRuns(runs);
  const base = findBase(groups, options.base);
  const steps = chooseSteps(stepNames(runs), options.steps);
  const perStep = steps
    .flatMap((step) => stepTables(groups, step))
    .filter((table) => table !== null);
  const tables = [
    warningsTable(runs, steps),
    summaryTable(groups, steps),
    groups.length > 1 ? relativeTable(groups, steps, base) : null,
    steps.some((step) => isQueryStep(step)) ? slaTable(groups, steps) : null,
    ...(groups.length === 1 && steps.length > 1 ? mergeSteps(perStep) : perStep),
  ];
  return tables.filter((table) => table !== null);
}

function chooseSteps(all: readonly string[], wanted: readonly string[] | undefined): string[] {
  if (wanted === undefined) return [...all];
  const unknown = wanted.find((step) => !all.includes(step));
  if (unknown !== undefined) {
    const known = all.length === 0 ? 'none, the runs have no steps' : all.join(', ');
    throw new UsageError(`Step "${unknown}" is not among the runs; expected one of: ${known}`);
  }
  return all.filter((step) => wanted.includes(step));
}

function stepTables(groups: readonly RunGroup[], step: string): (Table | null)[] {
  return [
    histogramTable(groups, step),
    percentilesTable(groups, step),
    metricsTable(groups, step),
    detailsTable(groups, step),
    fairnessTable(groups, step),
  ];
}
