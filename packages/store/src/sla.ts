import { type BackgroundSeconds, type SlaFigures, slaFigures } from '@ibench/core';
import { prepare, type Store } from './open.ts';
import { insertRow, toColumns } from './write.ts';

/** Keeps how a step that is done kept its target rate: all clients together, and each. */
export function saveSla(
  store: Store,
  stepKey: number,
  background: readonly BackgroundSeconds[],
): void {
  for (const figures of slaFigures(background)) {
    insertRow(store, 'step_sla', { step_key: stepKey, ...toColumns({ ...figures }) });
  }
}

/** The same, read back in that order. */
export function loadSla(store: Store, stepKey: number): SlaFigures[] {
  return prepare(
    store,
    `SELECT client, average, below_share AS belowShare, longest_deficit_s AS longestDeficitS,
       largest_backlog_rows AS largestBacklogRows, worst_window_share AS worstWindowShare
     FROM step_sla WHERE step_key = ? ORDER BY step_sla_key`,
  ).all(stepKey) as SlaFigures[];
}
