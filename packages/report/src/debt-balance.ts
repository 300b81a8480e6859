import type { Debt } from '@ibench/core';
import { doneRepeats, median, type RunGroup } from './run-group.ts';

/** What a step inherited and what it left of one kind of debt; null: not known. */
export type Balance = readonly [opening: number | null, closing: number | null];

/** The debt of a row in one step: medians over its valid repeats, as the debt table has them. */
export function debtBalance(group: RunGroup, step: string, figure: keyof Debt): Balance {
  const repeats = doneRepeats(group, step);
  const at = (moment: 'opening' | 'closing'): number | null =>
    median(repeats.map(({ server }) => server?.[moment][figure] ?? null));
  return [at('opening'), at('closing')];
}
