import { canDiffer, mannWhitney, SIGNIFICANCE } from '@ibench/core';
import { numberCell } from './cell.ts';
import { type RelativeStep, relativeStep } from './relative-step.ts';
import type { RunGroup } from './run-group.ts';
import type { Cell, Mark } from './table.ts';

export type ComparisonVerdict =
  | 'regression'
  | 'improvement'
  | 'no change'
  | 'not told from noise'
  | 'cannot tell at this n'
  | 'missed SLA'
  | 'not comparable';

/** B against A in one step. */
export interface ComparedStep {
  readonly step: string;
  readonly a: RelativeStep;
  readonly b: RelativeStep;
  /** Exact Mann-Whitney p over the repeats; null where one side has none. */
  readonly p: number | null;
  readonly verdict: ComparisonVerdict;
}

/**
 * Compares the throughput of two rows in one step. A change is real where it is at least 5% and the repeats
 * bear it out (p at most 0.05); where they do not, it may be noise; with too few repeats for any p so small, nobody can tell.
 */
export function compareStep(a: RunGroup, b: RunGroup, step: string): ComparedStep {
  const [ofA, ofB] = [relativeStep(a, a, step), relativeStep(b, a, step)];
  const p = mannWhitney(ofA.repeats, ofB.repeats);
  return { step, a: ofA, b: ofB, p, verdict: judge(ofA, ofB, p) };
}

function judge(a: RelativeStep, b: RelativeStep, p: number | null): ComparisonVerdict {
  if (b.ratio === null || p === null) return 'not comparable';
  if (b.missedSla) return 'missed SLA';
  if (!canDiffer(a.repeats.length, b.repeats.length)) return 'cannot tell at this n';
  if (b.verdict === 'none') return 'no change';
  return p > SIGNIFICANCE ? 'not told from noise' : b.verdict;
}

/** Is the ratio beyond 5%, and do the repeats not speak against it? */
export function isWorthTelling(compared: ComparedStep): boolean {
  return compared.b.verdict !== 'none' && !isUnsure(compared);
}

/**
 * Is the ratio beyond 5%, and do the repeats speak against it? Enough of them do by their p, fewer where those of both
 * sides overlap, as they do where the spread of the ratio includes 1.
 */
export function isUnsure({ a, b, verdict }: ComparedStep): boolean {
  if (verdict !== 'cannot tell at this n') return verdict === 'not told from noise';
  return b.verdict !== 'none' && overlap(a.repeats, b.repeats);
}

function overlap(a: readonly number[], b: readonly number[]): boolean {
  return Math.min(...a) <= Math.max(...b) && Math.min(...b) <= Math.max(...a);
}

/** Is the ratio told as a change by its size alone, since so few repeats cannot tell it from noise? */
export function isBySize(compared: ComparedStep): boolean {
  return compared.verdict === 'cannot tell at this n' && isWorthTelling(compared);
}

/**
 * How a ratio is marked wherever ratios are shown: as improvement or regression by the rule of `isWorthTelling`, so
 * that no table or chart says more than the verdict on top of a report.
 */
export function ratioMark(compared: ComparedStep): Mark {
  if (compared.b.missedSla) return 'missed-sla';
  if (isUnsure(compared)) return 'unsure';
  if (!isWorthTelling(compared)) return 'none';
  return compared.b.verdict === 'improvement' ? 'good' : 'bad';
}

/** The same in a table of rows, where ✗ is of the row itself: what the base alone missed is in a footnote. */
function cellMark(compared: ComparedStep): Mark {
  const { missedSla, throughput } = compared.b;
  return missedSla && !throughput.missedSla ? 'none' : ratioMark(compared);
}

/** The ratio with its mark, as a cell. */
export function ratioCell(compared: ComparedStep): Cell {
  const cell = numberCell(compared.b.ratio, 2, cellMark(compared));
  return isBySize(compared) ? { ...cell, bySize: true } : cell;
}

/** What the marks mean: where repeats are too few to tell a change from noise, they go by size alone. */
export function markNote(compared: readonly ComparedStep[]): string {
  const bySize = compared.filter(isBySize);
  const isSingle = bySize.some(({ a, b }) => a.repeats.length === 1 && b.repeats.length === 1);
  return [
    '▲ improvement (≥ 1.05), ▼ regression (≤ 0.95)',
    ...(compared.some(isUnsure) ? ['~ beyond 5%, but the repeats do not tell it from noise'] : []),
    ...(bySize.length === 0 ? [] : [isSingle ? 'one repeat: by size only' : FEW_REPEATS]),
  ].join(', ');
}

const FEW_REPEATS = 'too few repeats to tell from noise: by size only';

export const COMPARISON_MARKS: Readonly<Record<ComparisonVerdict, Mark>> = {
  regression: 'bad',
  improvement: 'good',
  'no change': 'none',
  'not told from noise': 'unsure',
  'cannot tell at this n': 'none',
  'missed SLA': 'missed-sla',
  'not comparable': 'absent',
};
