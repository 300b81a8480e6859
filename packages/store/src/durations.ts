import type { PastRun, PastStep } from '@ibench/core';
import { prepare, type Store } from './open.ts';

interface Row extends PastStep, Omit<PastRun, 'steps'> {
  readonly runKey: number;
}

/** How long the runs took that were done in full, and their steps, in order of start. */
export function loadDurations(store: Store): PastRun[] {
  const rows = prepare(
    store,
    `SELECT run_key AS runKey, build, config, workload, clients,
       (julianday(run.finished_at) - julianday(run.started_at)) * 86400 AS seconds,
       step, m.seconds AS stepSeconds,
       CASE step WHEN 'l.x' THEN r.rows_indexed ELSE m.rows_inserted END AS rows
     FROM run JOIN step USING (run_key) JOIN step_metrics m USING (step_key)
       JOIN step_result r USING (step_key)
     WHERE run.status = 'done'
     ORDER BY run_key, seq`,
  ).all() as (Row & { readonly stepSeconds: number })[];
  const runs = new Map<number, PastRun & { readonly steps: PastStep[] }>();
  for (const { runKey, step, stepSeconds, rows: count, ...run } of rows) {
    const known = runs.get(runKey) ?? { ...run, steps: [] };
    known.steps.push({ step, seconds: stepSeconds, rows: count });
    runs.set(runKey, known);
  }
  return [...runs.values()];
}
