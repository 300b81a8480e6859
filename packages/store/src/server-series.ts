import type { ServerSeries } from '@ibench/core';
import { prepare, type Store } from './open.ts';

interface ValueRow {
  readonly second: number;
  readonly value: number;
}

interface CpuRow {
  readonly second: number;
  /** null: no role used a tick of it. */
  readonly role: string | null;
  readonly cpus: number | null;
}

const STEP_OF_RUN = 'FROM run JOIN step USING (run_key)';

/** Series of the server in a step of a run, beside its waits; empty where there are none. */
export function loadServerSeries(store: Store, runId: string, step: string): ServerSeries {
  const series = (sql: string): ServerSeries['planning'] => {
    const rows = prepare(store, sql).all(runId, step) as ValueRow[];
    return { seconds: rows.map(({ second }) => second), ms: rows.map(({ value }) => value) };
  };
  return {
    planning: series(
      `SELECT second, avg(value) AS value ${STEP_OF_RUN} JOIN server_series USING (step_key)
       WHERE run_id = ? AND step = ? AND name = 'delete_planning_ms' GROUP BY second ORDER BY second`,
    ),
    resync: series(
      `SELECT second, sum(value) FILTER (WHERE name = 'getmin_us') / 1000
         / sum(value) FILTER (WHERE name = 'getmin_count') AS value
       ${STEP_OF_RUN} JOIN server_series USING (step_key)
       WHERE run_id = ? AND step = ? AND name IN ('getmin_us', 'getmin_count') GROUP BY second
       HAVING sum(value) FILTER (WHERE name = 'getmin_count') > 0 ORDER BY second`,
    ),
    checkpointing: secondsIn(store, [runId, step, 'checkpointer'], AT_WORK),
    vacuuming: secondsIn(store, [runId, step, 'autovacuum worker'], AT_WORK),
    checkpointed: secondsIn(store, [runId, step, 'checkpoint_done'], WITH_VALUE),
    vacuumed: secondsIn(store, [runId, step, 'autovacuums_done'], WITH_VALUE),
    cpu: loadCpu(store, runId, step),
  };
}

/** Seconds of a step for which a table has a row with this value in the column, ascending. */
function secondsIn(
  store: Store,
  where: readonly [runId: string, step: string, value: string],
  { table, column }: { readonly table: string; readonly column: string },
): number[] {
  return prepare(
    store,
    `SELECT DISTINCT second ${STEP_OF_RUN} JOIN ${table} USING (step_key)
     WHERE run_id = ? AND step = ? AND ${column} = ? ORDER BY second`,
  )
    .pluck()
    .all(...where) as number[];
}

/** Where sampled seconds are in which a process of a role was not waiting for work. */
const AT_WORK = { table: 'wait_second', column: 'role' } as const;
/** Where sampled seconds are that have a value of a name. */
const WITH_VALUE = { table: 'server_series', column: 'name' } as const;

/** Roles that used less than a tick in a second have zero there. */
function loadCpu(store: Store, runId: string, step: string): ServerSeries['cpu'] {
  const rows = prepare(
    store,
    `SELECT s.second, v.object AS role, v.value / s.covered_s AS cpus
     ${STEP_OF_RUN} JOIN server_second s USING (step_key)
       LEFT JOIN server_series v ON v.step_key = s.step_key AND v.second = s.second AND v.name = 'cpu_s'
     WHERE run_id = ? AND step = ? AND s.covered_s > 0 ORDER BY s.second`,
  ).all(runId, step) as CpuRow[];
  const seconds = [...new Set(rows.map(({ second }) => second))];
  const positions = new Map(seconds.map((second, i) => [second, i]));
  const values = new Map<string, number[]>();
  for (const { second, role, cpus: used } of rows) {
    if (role === null || used === null) continue;
    const ofRole = values.get(role) ?? seconds.map(() => 0);
    ofRole[positions.get(second)!] = used;
    values.set(role, ofRole);
  }
  return { seconds, values };
}
