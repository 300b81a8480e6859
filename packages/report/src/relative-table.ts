import { type Debt, debtDifferences, resolveTag, UsageError } from '@ibench/core';
import { labelClientBound, numberCell, numberColumn, wordCell, wordColumn } from './cell.ts';
import { clientBoundNotes } from './client-bound.ts';
import { compareStep, markNote, ratioCell } from './comparison-steps.ts';
import { meanRatio } from './mean-ratio.ts';
import { relativeStep } from './relative-step.ts';
import { doneRepeats, type RunGroup, sameLoad } from './run-group.ts';
import { notDoneCell } from './summary-table.ts';
import type { Cell, Table } from './table.ts';
import { throughputOf, throughputSteps } from './throughput.ts';

/** Throughput divided by that of the base, runs × steps; with several steps also their mean. */
export function relativeTable(
  groups: readonly RunGroup[],
  steps: readonly string[],
  base: RunGroup,
): Table {
  const columns = throughputSteps(steps);
  const comparable = groups.filter((group) => sameLoad(group, base));
  const hasMean = columns.length > 1;
  const compared = comparable
    .filter((group) => group !== base)
    .flatMap((group) => columns.map((step) => compareStep(base, group, step)));
  return {
    id: 'relative',
    step: null,
    title: `Throughput relative to ${base.label}`,
    note:
      `1.10 is 10% more throughput than the base. ${markNote(compared)}, ✗ missed the SLA` +
      (hasMean ? '. mean: geometric, over the steps that both did validly and within the SLA' : ''),
    columns: [
      wordColumn('tag'),
      ...columns.map((step) => numberColumn(step)),
      ...(hasMean ? [numberColumn('mean'), numberColumn('compared', 'steps')] : []),
    ],
    rows: comparable.map((group) => ({
      cells: [
        wordCell(group.label),
        ...columns.map((step) => relativeCell(group, base, step)),
        ...(hasMean ? meanCells(group, base, columns) : []),
      ],
    })),
    footnotes: [
      ...groups
        .filter((group) => !comparable.includes(group))
        .map(({ label }) => `${label}: not compared, its workload or clients are others`),
      ...columns
        .filter((step) => throughputOf(base, step).missedSla)
        .map(
          (step) =>
            `${step}: the base missed the SLA, so its throughput comes with less background work`,
        ),
      ...clientBoundNotes(comparable, columns),
      ...comparable.flatMap((group) => columns.flatMap((step) => debtNotes(group, base, step))),
    ],
  };
}

function meanCells(group: RunGroup, base: RunGroup, steps: readonly string[]): Cell[] {
  const { mean, compared } = meanRatio(steps.map((step) => relativeStep(group, base, step)));
  return [numberCell(mean, 2), numberCell(compared, 0)];
}

function relativeCell(group: RunGroup, base: RunGroup, step: string): Cell {
  const throughput = throughputOf(group, step);
  const notDone = notDoneCell(throughput);
  if (notDone !== null) return notDone;
  return labelClientBound(ratioCell(compareStep(base, group, step)), throughput.clientBound);
}

/** Steps that began with more or less put off than those of the base; of repeats the first tells. */
function debtNotes(group: RunGroup, base: RunGroup, step: string): string[] {
  const [ours, theirs] = [openingDebt(group, step), openingDebt(base, step)];
  if (ours === null || theirs === null) return [];
  const differences = debtDifferences(theirs, ours).map(
    ({ words, base: was, other }) => `${words} ${shortNumber(other)} against ${shortNumber(was)}`,
  );
  return differences.length === 0
    ? []
    : [`${group.label}, ${step}: began with another debt than the base: ${differences.join(', ')}`];
}

function openingDebt(group: RunGroup, step: string): Debt | null {
  return doneRepeats(group, step)[0]?.server?.opening ?? null;
}

function shortNumber(value: number): string {
  return value < 1 ? value.toFixed(2) : Math.round(value).toLocaleString('en-US');
}

/**
 * The row that others are compared with: the one with this tag, which may be named without its marks, or the first.
 * @throws UsageError when no row, or more than one, has the tag.
 */
export function findBase(groups: readonly RunGroup[], tag: string | undefined): RunGroup {
  if (tag === undefined) return groups[0]!;
  const matches = rowsNamed(groups, tag);
  if (matches.length === 1) return matches[0]!;
  const problem = matches.length === 0 ? 'is not among the runs' : 'names more than one row';
  const labels = groups.map((group) => group.label).join(', ');
  throw new UsageError(`Base "${tag}" ${problem}; expected one of: ${labels}`);
}

/** The row with this label, else all with this tag. */
export function rowsNamed(groups: readonly RunGroup[], name: string): RunGroup[] {
  const exact = groups.find((group) => group.label === name);
  if (exact !== undefined) return [exact];
  const meant = resolveTag(
    name,
    groups.map(({ tag }) => tag),
  );
  return groups.filter(({ tag }) => tag === meant);
}
