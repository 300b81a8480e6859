import { type ClientRate, clientRates, type WorkerResult } from '@ibench/core';
import { prepare, type Store } from './open.ts';
import { insertRow } from './write.ts';

/** Keeps when each client of a step that is done finished, and its rate. */
export function saveClientRates(
  store: Store,
  stepKey: number,
  workers: readonly WorkerResult[],
): void {
  const step = prepare(store, 'SELECT step FROM step WHERE step_key = ?').pluck().get(stepKey);
  for (const { client, finishedS, rate } of clientRates(step as string, workers)) {
    insertRow(store, 'client_rate', { step_key: stepKey, client, finished_s: finishedS, rate });
  }
}

/** The clients of a step by their number. */
export function loadClientRates(store: Store, stepKey: number): ClientRate[] {
  return prepare(
    store,
    `SELECT client, finished_s AS finishedS, rate FROM client_rate
     WHERE step_key = ? ORDER BY client`,
  ).all(stepKey) as ClientRate[];
}
