import { type Comparability, type RunRecord, UsageError } from '@ibench/core';
import { chooseSteps } from './choose-steps.ts';
import { COMPLETE, comparabilityTable } from './comparability-table.ts';
import { comparisonMetricsTable } from './comparison-metrics-table.ts';
import { compareStep } from './comparison-steps.ts';
import { comparisonTable, sentencesTable } from './comparison-tables.ts';
import { groupRuns, loadNotes, type RunGroup, sameLoad, stepNames } from './run-group.ts';
import type { Table } from './table.ts';
import { throughputSteps } from './throughput.ts';
import { warningsTable } from './warnings-table.ts';

/** One side of a comparison: how the user named it, and its runs, one or the repeats of a tag. */
export interface Side {
  readonly name: string;
  readonly runs: readonly RunRecord[];
}

/**
 * B against A: what changed, in sentences; throughput with p and verdict; every metric of every step; and
 * all that the runs differ in.
 * @throws UsageError where a name stands for different things, or the sides did different work.
 */
export function buildComparison(
  sides: { readonly a: Side; readonly b: Side },
  comparability: Comparability,
  wanted?: readonly string[],
): Table[] {
  const [a, b] = [toGroup(sides.a), toGroup(sides.b)];
  if (!sameLoad(a, b)) {
    throw new UsageError(
      `${a.label} and ${b.label} did different work, so their numbers cannot be compared: ${loadNotes([a, b]).join('; ')}`,
    );
  }
  const runs = [...a.runs, ...b.runs];
  const steps = chooseSteps(stepNames(runs), wanted);
  const compared = throughputSteps(steps).map((step) => compareStep(a, b, step));
  const tables = [
    comparabilityTable(comparability, COMPLETE),
    warningsTable(runs, steps),
    sentencesTable(compared, a, b),
    comparisonTable(compared, a, b),
    comparisonMetricsTable(steps, a, b),
  ];
  return tables.filter((table) => table !== null);
}

/** The runs of a side as one row, under the name that the user gave. */
function toGroup({ name, runs }: Side): RunGroup {
  const groups = groupRuns(runs);
  if (groups.length === 1) return { ...groups[0]!, label: name };
  const labels = groups.map(({ label }) => label).join(', ');
  throw new UsageError(`${name} stands for different things: ${labels}; name one run by its id`);
}
