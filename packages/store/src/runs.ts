import { createHash } from 'node:crypto';
import { RunError, type RunIdentity, type Status } from '@ibench/core';
import { prepare, type Store } from './open.ts';
import { durably, insertRow, toColumns, transact } from './write.ts';

/** What is known of a run when it starts. */
export interface NewRun extends RunIdentity {
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

/** Adds a run with status `running` and returns its key. Throws RunError if it exists already. */
export function createRun(store: Store, run: NewRun): number {
  return transact(store, () => {
    const { runId, build, config, workload, tag, repeat } = run;
    const same = prepare(
      store,
      `SELECT run_id FROM run WHERE run_id = ?
       OR (build = ? AND config = ? AND workload = ? AND tag = ? AND repeat = ?)`,
    ).get(runId, build, config, workload, tag, repeat) as { run_id: string } | undefined;
    if (same !== undefined) {
      throw new RunError(
        `run ${runId} (${tag}, ${workload}, repeat ${repeat}) cannot be added to ${store.path}: run ${same.run_id} has the same id or the same tag, workload and repeat; take the next repeat`,
      );
    }
    return insertRow(store, 'run', { ...toColumns({ ...run }), status: 'running' });
  });
}

/** 1 + the highest repeat of such runs, however they ended; 1 if there are none. */
export function nextRepeat(
  store: Store,
  run: Pick<RunIdentity, 'build' | 'config' | 'workload' | 'tag'>,
): number {
  const row = prepare(
    store,
    `SELECT coalesce(max(repeat), 0) + 1 AS next FROM run
     WHERE build = ? AND config = ? AND workload = ? AND tag = ?`,
  ).get(run.build, run.config, run.workload, run.tag) as { next: number };
  return row.next;
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
