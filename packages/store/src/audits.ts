import type { Audit } from '@ibench/core';
import { prepare, type Store } from './open.ts';
import { insertRow, transact } from './write.ts';

/** Keeps what was checked of a step; a later verdict of the same name replaces an earlier one. */
export function saveStepAudits(store: Store, stepKey: number, audits: readonly Audit[]): void {
  for (const audit of audits) {
    insertRow(store, 'step_audit', { step_key: stepKey, ...audit }, 'REPLACE');
  }
}

/** The same for a run as a whole. */
export function saveRunAudits(store: Store, runKey: number, audits: readonly Audit[]): void {
  transact(store, () => {
    for (const audit of audits) {
      insertRow(store, 'run_audit', { run_key: runKey, ...audit }, 'REPLACE');
    }
  });
}

/** The audits of a step, by name. */
export function loadStepAudits(store: Store, stepKey: number): Audit[] {
  return prepare(
    store,
    'SELECT name, verdict, value, bound, reason FROM step_audit WHERE step_key = ? ORDER BY name',
  ).all(stepKey) as Audit[];
}

/** The audits of a run as a whole, by name. */
export function loadRunAudits(store: Store, runKey: number): Audit[] {
  return prepare(
    store,
    'SELECT name, verdict, value, bound, reason FROM run_audit WHERE run_key = ? ORDER BY name',
  ).all(runKey) as Audit[];
}
