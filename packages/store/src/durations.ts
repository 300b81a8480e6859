import type { PastRun, PastStep } from '@ibench/core';
import { prepare, type Store } from './open.ts';

interface Row extends PastStep, Omit<PastRun, 'steps' | 'parameters'> {
  readonly runKey: number;
  /** JSON. */
  readonly parameters: string;
}

/** How long the runs took that were done in full, and their steps, in order of start. */
export function loadDurations(store: Store): PastRun[] {
  const rows = prepare(
    store,
    `SELECT run_key AS runKey, build, config, workload, clients,
       (SELECT json_group_object(name, value) FROM run_fact f
        WHERE f.run_key = run.run_key AND f.category = 'workload') AS parameters,
       (SELECT max(cpus) FROM os_counter c WHERE c.step_key = step.step_key) AS cpus,
       (julianday(run.finished_at) - julianday(run.started_at)) * 86400 AS seconds,
       step, m.seconds AS stepSeconds,
       CASE step WHEN 'l.x' THEN r.rows_indexed ELSE m.rows_inserted END AS rows
     FROM run JOIN step USING (run_key) JOIN step_metrics m USING (step_key)
       JOIN step_result r USING (step_key)
     WHERE run.status = 'done'
     ORDER BY run_key, seq`,
  ).all() as (Row & { readonly stepSeconds: number })[];
  const runs = new Map<number, PastRun & { readonly steps: PastStep[] }>();
  for (const { runKey, step, stepSeconds, rows: count, parameters, ...run } of rows) {
    const begun = { ...run, parameters: JSON.parse(parameters), steps: [] as PastStep[] };
    const known = runs.get(runKey) ?? begun;
    known.steps.push({ step, seconds: stepSeconds, rows: count });
    runs.set(runKey, known);
  }
  return [...runs.values()];
}
