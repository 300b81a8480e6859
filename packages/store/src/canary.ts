import type { CanaryFigures } from '@ibench/core';
import { prepare, type Store } from './open.ts';
import { insertRow, toColumns, transact } from './write.ts';

/** One reading of the canary. */
export interface CanaryRow {
  readonly moment: 'before' | 'step' | 'after';
  /** The step that came next, for the moment `step`; else null. */
  readonly stepKey: number | null;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Host and file system: only readings of one place can be compared. */
  readonly place: string;
  readonly figures: CanaryFigures;
}

/** Keeps a reading of a run. */
export function saveCanary(store: Store, runKey: number, row: CanaryRow): void {
  const { figures, ...own } = row;
  transact(store, () =>
    insertRow(store, 'canary', { run_key: runKey, ...toColumns({ ...own, ...figures }) }),
  );
}

/** Readings of a run, and those of the latest earlier runs in the same place, one list for each. */
export interface CanaryHistory {
  readonly own: readonly CanaryFigures[];
  readonly earlier: readonly (readonly CanaryFigures[])[];
}

/** Runs that are looked back on: a host that was changed becomes another one by and by. */
const RUNS = 30;

/** What there is to judge a run's canary by. Only runs that are done count, since others may have been disturbed. */
export function loadCanaries(store: Store, runKey: number): CanaryHistory {
  const rows = prepare(
    store,
    `SELECT c.run_key AS runKey, c.cpu_ms AS cpuMs, c.memory_mb_per_s AS memoryMbPerS,
       c.flush_us AS flushUs, c.write_us AS writeUs
     FROM canary c
     WHERE c.run_key = @runKey OR c.run_key IN (
       SELECT DISTINCT e.run_key FROM canary e JOIN run USING (run_key)
       WHERE e.run_key < @runKey AND run.status = 'done'
         AND e.place = (SELECT place FROM canary WHERE run_key = @runKey LIMIT 1)
       ORDER BY e.run_key DESC LIMIT @runs)
     ORDER BY c.canary_key`,
  ).all({ runKey, runs: RUNS }) as (CanaryFigures & { readonly runKey: number })[];
  const byRun = new Map<number, CanaryFigures[]>();
  for (const { runKey: key, ...figures } of rows) {
    byRun.set(key, [...(byRun.get(key) ?? []), figures]);
  }
  const own = byRun.get(runKey) ?? [];
  byRun.delete(runKey);
  return { own, earlier: [...byRun.values()] };
}
