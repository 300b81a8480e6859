import { numberCell, numberColumn, wordCell, wordColumn } from './cell.ts';
import {
  type ComparedStep,
  compareStep,
  isUnsure,
  isWorthTelling,
  markNote,
  ratioCell,
} from './comparison-steps.ts';
import { type MeanRatio, meanRatio } from './mean-ratio.ts';
import { attemptNotes, inheritedNotes, type RunGroup } from './run-group.ts';
import { notDoneCell } from './summary-table.ts';
import type { Cell, Column, Row, Table } from './table.ts';
import type { Throughput } from './throughput.ts';

/** One row of a sweep, compared with the base in every step. */
export interface SweepRow extends MeanRatio {
  readonly group: RunGroup;
  readonly isBase: boolean;
  readonly steps: ReadonlyMap<string, ComparedStep>;
  /** Something compared, no step at or below 0.95, be it noise or not, none missing, no SLA missed that the base met. */
  readonly neverWorse: boolean;
}

/** Rows with a ratio first, by geometric mean from high to low; the base is one of them. */
export function sweepRows(
  groups: readonly RunGroup[],
  base: RunGroup,
  steps: readonly string[],
): SweepRow[] {
  return groups
    .map((group) => sweepRow(group, base, steps))
    .sort((a, b) => (b.mean ?? -1) - (a.mean ?? -1));
}

function sweepRow(group: RunGroup, base: RunGroup, steps: readonly string[]): SweepRow {
  const compared = steps.map((step) => compareStep(base, group, step));
  const worse = compared.some((one) => one.a.ratio !== null && isWorse(one));
  const mean = meanRatio(compared.map(({ b }) => b));
  return {
    group,
    isBase: group === base,
    steps: new Map(compared.map((one) => [one.step, one])),
    ...mean,
    neverWorse: mean.compared > 0 && !worse,
  };
}

function isWorse({ a, b }: ComparedStep): boolean {
  // What was taken over from another run says nothing about this row.
  if (isInherited(b.throughput)) return false;
  if (b.ratio === null || b.verdict === 'regression') return true;
  return b.throughput.missedSla && !a.missedSla;
}

function isInherited({ outcome }: Throughput): boolean {
  return outcome.state === 'not-done' && outcome.status === 'inherited';
}

/**
 * Relative throughput of a sweep, rows × steps, the best row first.
 *
 * @param notes what is to be known about the choice of the base
 */
export function sweepTable(
  rows: readonly SweepRow[],
  { base, notes }: { readonly base: RunGroup; readonly notes: readonly string[] },
  { steps, load }: { readonly steps: readonly string[]; readonly load: string },
): Table {
  const compared = rows.filter(({ isBase }) => !isBase).flatMap((row) => [...row.steps.values()]);
  return {
    id: 'sweep',
    step: null,
    title: `${load}: throughput relative to ${base.label}`,
    note: `Median over repeats / median of the base [slowest–fastest repeat]. ${markNote(compared)}, ✗ missed the SLA: no verdict, not in the mean. mean: geometric, over the steps compared`,
    columns: [
      wordColumn('tag'),
      numberColumn('n'),
      ...steps.map((step) => numberColumn(step)),
      numberColumn('mean'),
      numberColumn('compared', 'steps'),
      wordColumn('never_worse', 'never ≤ 0.95'),
      wordColumn('better', '▲ ≥ 1.05'),
      wordColumn('worse', '▼ ≤ 0.95'),
      wordColumn('missed_sla', 'missed SLA'),
      { ...wordColumn('unsure'), dataOnly: true },
      ...steps.flatMap(spreadColumns),
    ],
    rows: rows.map((row) => tableRow(row, steps)),
    footnotes: [...notes, ...footnotes(rows, steps)],
  };
}

function spreadColumns(step: string): Column[] {
  return ['min', 'max', 'n'].map((what) => ({
    ...numberColumn(`${step}_${what}`),
    dataOnly: true,
  }));
}

function tableRow(row: SweepRow, steps: readonly string[]): Row {
  const all = steps.map((step) => row.steps.get(step)!);
  const which = (test: (one: ComparedStep) => boolean): Cell =>
    wordCell(steps.filter((_, i) => test(all[i]!)).join(', '));
  return {
    cells: [
      wordCell(row.group.label),
      numberCell(row.group.runs.length, 0),
      ...all.map(spreadCell),
      numberCell(row.mean, 2),
      numberCell(row.compared, 0),
      wordCell(row.neverWorse ? 'yes' : ''),
      which((one) => isWorthTelling(one) && one.b.verdict === 'improvement'),
      which((one) => isWorthTelling(one) && one.b.verdict === 'regression'),
      which(({ b }) => b.throughput.missedSla),
      which(isUnsure),
      ...all.flatMap(({ b: { low, high, repeats } }) => [
        numberCell(low, 2),
        numberCell(high, 2),
        numberCell(repeats.length, 0),
      ]),
    ],
  };
}

/** The ratio with its spread, `1.13 [1.11–1.15]`; the spread of a single repeat is not shown. */
export function spreadCell(compared: ComparedStep): Cell {
  const { throughput, ratio, low, high, repeats } = compared.b;
  const notDone = notDoneCell(throughput);
  if (notDone !== null) return notDone;
  const cell = ratioCell(compared);
  if (repeats.length < 2 || low === null || high === null || ratio === null) return cell;
  return { ...cell, text: `${cell.text} [${low.toFixed(2)}–${high.toFixed(2)}]` };
}

function footnotes(rows: readonly SweepRow[], steps: readonly string[]): string[] {
  const baseMissed = steps.filter((step) => rows[0]?.steps.get(step)?.a.missedSla);
  const few = rows.some(({ group }) => group.runs.length < 2);
  const groups = rows.map(({ group }) => group);
  return [
    ...attemptNotes(groups),
    ...inheritedNotes(groups),
    ...baseMissed.map((step) => `${step}: the base missed the SLA, so there is no verdict on it`),
    ...(few
      ? [
          'n = 1: nothing is known about the noise; 3 repeats show it, 4 of both rows can tell a change from it',
        ]
      : []),
  ];
}
