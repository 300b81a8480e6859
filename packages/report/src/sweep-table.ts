import { numberCell, numberColumn, wordCell, wordColumn } from './cell.ts';
import { type MeanRatio, meanRatio } from './mean-ratio.ts';
import { type RelativeStep, relativeStep } from './relative-step.ts';
import { attemptNotes, inheritedNotes, type RunGroup } from './run-group.ts';
import { notDoneCell } from './summary-table.ts';
import type { Cell, Column, Mark, Row, Table } from './table.ts';
import type { Throughput } from './throughput.ts';

/** One row of a sweep, compared with the base in every step. */
export interface SweepRow extends MeanRatio {
  readonly group: RunGroup;
  readonly isBase: boolean;
  readonly steps: ReadonlyMap<string, RelativeStep>;
  /** Something compared, no step at or below 0.95, none missing, no SLA missed that the base met. */
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
  const relative = new Map(steps.map((step) => [step, relativeStep(group, base, step)]));
  const baseDone = steps.filter((step) => relativeStep(base, base, step).ratio !== null);
  const worse = baseDone.some((step) => isWorse(relative.get(step)!, base, step));
  const mean = meanRatio([...relative.values()]);
  return {
    group,
    isBase: group === base,
    steps: relative,
    ...mean,
    neverWorse: mean.compared > 0 && !worse,
  };
}

function isWorse({ ratio, throughput, verdict }: RelativeStep, base: RunGroup, step: string) {
  // What was taken over from another run says nothing about this row.
  if (isInherited(throughput)) return false;
  if (ratio === null || verdict === 'regression') return true;
  return throughput.missedSla && !relativeStep(base, base, step).missedSla;
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
  return {
    id: 'sweep',
    step: null,
    title: `${load}: throughput relative to ${base.label}`,
    note: 'Median over repeats / median of the base [slowest–fastest repeat]. ▲ ≥ 1.05, ▼ ≤ 0.95, ✗ missed the SLA: no verdict, not in the mean. mean: geometric, over the steps compared',
    columns: [
      wordColumn('tag'),
      numberColumn('n'),
      ...steps.map((step) => numberColumn(step)),
      numberColumn('mean'),
      numberColumn('compared', 'steps'),
      wordColumn('never_worse', 'never ≤ 0.95'),
      wordColumn('better', '≥ 1.05'),
      wordColumn('worse', '≤ 0.95'),
      wordColumn('missed_sla', 'missed SLA'),
      ...steps.flatMap(spreadColumns),
    ],
    rows: rows.map((row) => tableRow(row, steps)),
    footnotes: [...notes, ...footnotes(rows, base, steps)],
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
  const which = (test: (one: RelativeStep) => boolean): Cell =>
    wordCell(steps.filter((_, i) => test(all[i]!)).join(', '));
  return {
    cells: [
      wordCell(row.group.label),
      numberCell(row.group.runs.length, 0),
      ...all.map(ratioCell),
      numberCell(row.mean, 2),
      numberCell(row.compared, 0),
      wordCell(row.neverWorse ? 'yes' : ''),
      which(({ verdict }) => verdict === 'improvement'),
      which(({ verdict }) => verdict === 'regression'),
      which(({ throughput }) => throughput.missedSla),
      ...all.flatMap(({ low, high, repeats }) => [
        numberCell(low, 2),
        numberCell(high, 2),
        numberCell(repeats.length, 0),
      ]),
    ],
  };
}

/** The ratio with its spread, `1.13 [1.11–1.15]`; the spread of a single repeat is not shown. */
export function ratioCell({ throughput, ratio, low, high, repeats, verdict }: RelativeStep): Cell {
  const notDone = notDoneCell(throughput);
  if (notDone !== null) return notDone;
  const mark: Mark = throughput.missedSla ? 'missed-sla' : VERDICT_MARKS[verdict];
  const cell = numberCell(ratio, 2, mark);
  if (repeats.length < 2 || low === null || high === null || ratio === null) return cell;
  return { ...cell, text: `${cell.text} [${low.toFixed(2)}–${high.toFixed(2)}]` };
}

const VERDICT_MARKS = { regression: 'bad', improvement: 'good', none: 'none' } as const;

function footnotes(rows: readonly SweepRow[], base: RunGroup, steps: readonly string[]): string[] {
  const baseMissed = steps.filter((step) => relativeStep(base, base, step).missedSla);
  const few = rows.some(({ group }) => group.runs.length < 2);
  const groups = rows.map(({ group }) => group);
  return [
    ...attemptNotes(groups),
    ...inheritedNotes(groups),
    ...baseMissed.map((step) => `${step}: the base missed the SLA, so there is no verdict on it`),
    ...(few ? ['n = 1: nothing is known about the noise; 3 repeats or more show it'] : []),
  ];
}
