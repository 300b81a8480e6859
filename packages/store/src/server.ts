import {
  DEBT_FIGURES,
  type Debt,
  type RoleActivity,
  type SamplingCost,
  type ServerFigures,
  type ServerRecord,
  type ServerResult,
  type ServerSecond,
} from '@ibench/core';
import { prepare, type Store } from './open.ts';
import { insertRow, toColumns, transact } from './write.ts';

/** Adds what was seen of the server in one second of a step to what is there of that second. */
export function addServerSecond(store: Store, stepKey: number, seen: ServerSecond): void {
  const { second } = seen;
  transact(store, () => {
    prepare(
      store,
      `INSERT INTO server_second (step_key, second, samples, covered_s) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET samples = samples + excluded.samples, covered_s = covered_s + excluded.covered_s`,
    ).run(stepKey, second, seen.samples, seen.coveredS);
    const addWait = prepare(
      store,
      `INSERT INTO wait_second (step_key, second, role, wait_type, wait_event, sessions) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET sessions = sessions + excluded.sessions`,
    );
    for (const { role, waitType, waitEvent, sessions } of seen.waits) {
      addWait.run(stepKey, second, role, waitType, waitEvent, sessions);
    }
    const addValue = prepare(
      store,
      `INSERT INTO server_series (step_key, second, name, object, value) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET value = value + excluded.value`,
    );
    for (const { name, object, value } of seen.series) {
      addValue.run(stepKey, second, name, object, value);
    }
  });
}

/** Keeps what the server told of a step that is done. */
export function saveServerResult(store: Store, stepKey: number, result: ServerResult): void {
  for (const change of result.changes) {
    insertRow(store, 'server_statistic', { step_key: stepKey, ...change });
  }
  insertRow(store, 'step_server', { step_key: stepKey, ...result.figures });
  for (const moment of ['opening', 'closing'] as const) {
    insertRow(store, 'step_debt', { step_key: stepKey, moment, ...result[moment] });
  }
  for (const cost of result.sampling) {
    insertRow(store, 'sampling_cost', { step_key: stepKey, ...toColumns({ ...cost }) });
  }
}

/** null: the step is from before this was measured. */
export function loadServer(store: Store, stepKey: number): ServerRecord | null {
  const row = prepare(store, 'SELECT * FROM step_server WHERE step_key = ?').get(stepKey) as
    | (ServerFigures & { readonly step_key: number })
    | undefined;
  if (row === undefined) return null;
  const { step_key: _, ...figures } = row;
  return {
    figures,
    opening: loadDebt(store, stepKey, 'opening'),
    closing: loadDebt(store, stepKey, 'closing'),
    sampling: prepare(
      store,
      `SELECT what, samples, missed, total_s AS totalS, max_s AS maxS, backend_cpu_s AS backendCpuS
       FROM sampling_cost WHERE step_key = ? ORDER BY what`,
    ).all(stepKey) as SamplingCost[],
    activity: loadActivity(store, stepKey),
  };
}

function loadDebt(store: Store, stepKey: number, moment: 'opening' | 'closing'): Debt {
  return prepare(
    store,
    `SELECT ${DEBT_FIGURES.join(', ')} FROM step_debt WHERE step_key = ? AND moment = ?`,
  ).get(stepKey, moment) as Debt;
}

interface RoleWait {
  readonly role: string;
  readonly waitType: string;
  readonly waitEvent: string;
  readonly active: number;
}

/** By role, those that were active most first; roles that only used CPU between samples too. */
function loadActivity(store: Store, stepKey: number): RoleActivity[] {
  const waits = prepare(
    store,
    `SELECT role, wait_type AS waitType, wait_event AS waitEvent, 1.0 * sum(sessions) /
       (SELECT sum(samples) FROM server_second s WHERE s.step_key = w.step_key) AS active
     FROM wait_second w WHERE step_key = ? GROUP BY role, wait_type, wait_event ORDER BY active DESC`,
  ).all(stepKey) as RoleWait[];
  const cpu = new Map(
    prepare(
      store,
      `SELECT object, sum(value) /
         nullif((SELECT sum(covered_s) FROM server_second s WHERE s.step_key = v.step_key), 0)
       FROM server_series v WHERE step_key = ? AND name = 'cpu_s' GROUP BY object`,
    )
      .raw()
      .all(stepKey) as [string, number | null][],
  );
  const roles = [...new Set([...waits.map(({ role }) => role), ...cpu.keys()])];
  return roles
    .map((role) => {
      const events = waits.filter((wait) => wait.role === role);
      return {
        role,
        active: events.reduce((sum, { active }) => sum + active, 0),
        events: events.map(({ waitType, waitEvent, active }) => ({ waitType, waitEvent, active })),
        cpu: cpu.get(role) ?? null,
      };
    })
    .sort((a, b) => b.active - a.active || (b.cpu ?? 0) - (a.cpu ?? 0));
}
