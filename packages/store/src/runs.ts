import { createHash } from 'node:crypto';
import { RunError, type RunIdentity, type Status } from '@ibench/core';
import { prepare, type Store } from './open.ts';
import { durably, insertRow, toColumns, transact } from './write.ts';

/** What is known of a run when it starts. */
export interface NewRun extends Omit<RunIdentity, 'repeat'> {
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** The run's folder, absolute. */
  readonly directory: string;
  readonly runnerPid: number;
  /** Opaque; differs when the process id has been given to another process. */
  readonly runnerStart: string;
  readonly seed: number;
  readonly toolVersion: string;
  readonly commandLine: string;
  /** The run of a plan that this is an attempt at; it has that one's repeat. */
  readonly planRunKey?: number | null;
}

/** How a run ended; `message` says why, null for done. */
export interface RunEnd {
  readonly status: Exclude<Status, 'running'>;
  readonly message: string | null;
  /** ISO 8601, UTC. */
  readonly finishedAt: string;
}

/** A run that is still marked as running, and the process that should be running it. */
export interface UnfinishedRun {
  readonly runKey: number;
  readonly runId: string;
  readonly directory: string;
  readonly runnerPid: number;
  readonly runnerStart: string;
}

/**
 * Adds a run with status `running` and returns its key. Its repeat is what the plan says; without a plan it
 * is 1 + the highest repeat of such runs, however they ended. Two runners may do this at once.
 *
 * @throws RunError if there is a run of this id
 */
export function createRun(store: Store, run: NewRun): number {
  return transact(store, () => {
    const { runId, planRunKey = null } = run;
    const same = prepare(store, 'SELECT 1 FROM run WHERE run_id = ?').get(runId);
    if (same !== undefined) {
      throw new RunError(`run ${runId} cannot be added to ${store.path}: there is one of this id`);
    }
    const numbers = numbersOf(store, run);
    const plan = planRunKey === null ? {} : planNumbers(store, planRunKey);
    const columns = toColumns({ ...run, planRunKey, ...numbers, ...plan });
    return insertRow(store, 'run', { ...columns, status: 'running' });
  });
}

/** The next of its kind: `serial` tells it from all others, also from attempts at the same repeat. */
function numbersOf(store: Store, { build, config, workload, tag }: NewRun) {
  return prepare(
    store,
    `SELECT coalesce(max(serial), 0) + 1 AS serial, coalesce(max(repeat), 0) + 1 AS repeat, 1 AS attempt
     FROM run WHERE build = ? AND config = ? AND workload = ? AND tag = ?`,
  ).get(build, config, workload, tag) as { serial: number; repeat: number; attempt: number };
}

function planNumbers(store: Store, planRunKey: number) {
  return prepare(
    store,
    `SELECT p.repeat, coalesce(max(run.attempt), 0) + 1 AS attempt
     FROM plan_run p LEFT JOIN run USING (plan_run_key) WHERE plan_run_key = ?`,
  ).get(planRunKey) as { repeat: number; attempt: number };
}

/** Attaches a warning to a run as a whole; the same text twice is one warning. */
export function addRunWarning(store: Store, runKey: number, text: string): void {
  transact(store, () => {
    insertRow(store, 'run_warning', { run_key: runKey, text }, 'REPLACE');
  });
}

/** Keeps the text of the configuration file and its SHA-256 (hexadecimal). */
export function saveConfigText(store: Store, runKey: number, text: string): void {
  const sha256 = createHash('sha256').update(text).digest('hex');
  transact(store, () => {
    prepare(store, 'UPDATE run SET config_text = ?, config_sha256 = ? WHERE run_key = ?').run(
      text,
      sha256,
      runKey,
    );
  });
}

/**
 * Ends a running run. Steps still running end with it, the same way; a run that is done can have none.
 * Throws RunError if the run is not running.
 */
export function finishRun(store: Store, runKey: number, end: RunEnd): void {
  durably(store, () => {
    if (end.status === 'done') checkNoStepRuns(store, runKey);
    if (!endRun(store, runKey, end)) {
      throw new RunError(`run ${runKey} in ${store.path} is not running and cannot end again`);
    }
  });
}

/** All runs marked as running, oldest first. Whether their process lives is for the caller to find out. */
export function unfinishedRuns(store: Store): UnfinishedRun[] {
  return prepare(
    store,
    `SELECT run_key AS runKey, run_id AS runId, directory, runner_pid AS runnerPid,
       runner_start AS runnerStart
     FROM run WHERE status = 'running' ORDER BY run_key`,
  ).all() as UnfinishedRun[];
}

/** Marks a running run and its running steps as crashed; does nothing to a run that has ended. */
export function markCrashed(
  store: Store,
  runKey: number,
  message: string,
  finishedAt: string,
): void {
  durably(store, () => endRun(store, runKey, { status: 'crashed', message, finishedAt }));
}

function checkNoStepRuns(store: Store, runKey: number): void {
  const running = prepare(
    store,
    "SELECT step FROM step WHERE run_key = ? AND status = 'running'",
  ).get(runKey) as { step: string } | undefined;
  if (running !== undefined) {
    throw new RunError(`run ${runKey} in ${store.path} is not done: step ${running.step} runs`);
  }
}

function endRun(store: Store, runKey: number, end: RunEnd): boolean {
  const ended = prepare(
    store,
    `UPDATE run SET status = ?, message = ?, finished_at = ? WHERE run_key = ? AND status = 'running'`,
  ).run(end.status, end.message, end.finishedAt, runKey);
  if (ended.changes === 0) return false;
  prepare(
    store,
    `UPDATE step SET status = ?, message = ?, finished_at = ? WHERE run_key = ? AND status = 'running'`,
  ).run(end.status, end.message, end.finishedAt, runKey);
  return true;
}
