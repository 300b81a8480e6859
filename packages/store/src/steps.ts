import {
  RunError,
  type Status,
  type StepKind,
  type StepMetrics,
  type StepResult,
  type TimesSummary,
} from '@ibench/core';
import { saveClientRates } from './clients.ts';
import { prepare, type Store } from './open.ts';
import { saveEvidence, saveStepResult, saveWarnings } from './results.ts';
import { saveServerResult } from './server.ts';
import { saveSla } from './sla.ts';
import { saveStepTimes, summariseClients } from './times.ts';
import { durably, insertRow, transact } from './write.ts';

/** What is known of a step when it starts. */
export interface NewStep {
  /** Position in the run, from 1. */
  readonly seq: number;
  readonly step: string;
  readonly kind: StepKind;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
}

/** A step that ran to its end. */
export interface FinishedStep {
  /** ISO 8601, UTC. */
  readonly finishedAt: string;
  readonly result: StepResult;
  readonly metrics: StepMetrics;
  /** Times merged over all clients. */
  readonly times: readonly TimesSummary[];
}

/** A step that did not run to its end; of `result` whatever there is. */
export interface FailedStep {
  readonly status: Exclude<Status, 'running' | 'done'>;
  readonly message: string;
  readonly sqlstate?: string | null | undefined;
  /** ISO 8601, UTC. */
  readonly finishedAt: string;
  readonly result?: Partial<StepResult> | undefined;
}

/** Adds a step with status `running` and returns its key. */
export function startStep(store: Store, runKey: number, step: NewStep): number {
  return transact(store, () =>
    insertRow(store, 'step', {
      run_key: runKey,
      seq: step.seq,
      step: step.step,
      kind: step.kind,
      status: 'running',
      started_at: step.startedAt,
    }),
  );
}

/**
 * Ends a running step as `done` and keeps everything measured, in one transaction that is synced.
 * Times are kept per worker (raw), per client (computed here) and over all clients (as given); rates
 * per client are computed here.
 * Throws RunError if the step is not running.
 */
export function finishStep(store: Store, stepKey: number, end: FinishedStep): void {
  durably(store, () => {
    endStep(store, stepKey, { ...end, status: 'done', message: null });
    saveEvidence(store, stepKey, end.result);
    saveStepResult(store, stepKey, end.result);
    if (end.result.server !== null) saveServerResult(store, stepKey, end.result.server);
    insertRow(store, 'step_metrics', { step_key: stepKey, ...end.metrics });
    saveClientRates(store, stepKey, end.result.workers);
    saveSla(store, stepKey, end.result.background);
    for (const { client, times } of summariseClients(end.result.workers)) {
      saveStepTimes(store, stepKey, client, times);
    }
    for (const times of end.times) saveStepTimes(store, stepKey, null, times);
  });
}

/**
 * Ends a running step that cannot be reported, in one transaction that is synced. Raw figures are kept;
 * metrics and summaries are not made. Throws RunError if the step is not running.
 */
export function failStep(store: Store, stepKey: number, end: FailedStep): void {
  durably(store, () => {
    endStep(store, stepKey, end);
    saveEvidence(store, stepKey, end.result ?? {});
  });
}

/** Attaches a warning to a step, running or ended; the same text twice is one warning. */
export function addWarning(store: Store, stepKey: number, text: string): void {
  transact(store, () => saveWarnings(store, stepKey, [text]));
}

/** Keeps the plan of a statement as the server printed it; a later one replaces it. */
export function savePlan(store: Store, stepKey: number, statement: string, planText: string): void {
  transact(store, () => {
    insertRow(store, 'query_plan', { step_key: stepKey, statement, plan: planText }, 'REPLACE');
  });
}

interface StepEnd {
  readonly status: Status;
  readonly message: string | null;
  readonly sqlstate?: string | null | undefined;
  readonly finishedAt: string;
}

function endStep(store: Store, stepKey: number, end: StepEnd): void {
  const ended = prepare(
    store,
    `UPDATE step SET status = ?, message = ?, sqlstate = ?, finished_at = ?
     WHERE step_key = ? AND status = 'running'`,
  ).run(end.status, end.message, end.sqlstate ?? null, end.finishedAt, stepKey);
  if (ended.changes === 0) {
    throw new RunError(`step ${stepKey} in ${store.path} is not running and cannot end again`);
  }
}
