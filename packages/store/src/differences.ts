import { type Area, type Difference, type Observed, settingText } from '@ibench/core';
import type { Store } from './open.ts';
import { prepare } from './open.ts';

interface FactRow {
  readonly runId: string;
  readonly area: Area;
  readonly name: string;
  readonly value: string | null;
  readonly unit: string | null;
  readonly requested: number;
  readonly isDefault: number;
}

/**
 * The facts and settings in which the runs with these ids differ, by area and name; what is the same in
 * all of them stays in the file. A fact that some runs did not look for (an older tool) is no difference;
 * a setting that some servers do not have is one.
 */
export function loadDifferences(store: Store, runIds: readonly string[]): Difference[] {
  const rows = prepare(store, DIFFERING).all({ runIds: JSON.stringify(runIds) }) as FactRow[];
  const differences = new Map<string, Difference & { byRun: Map<string, Observed> }>();
  for (const { runId, area, name, value, unit, requested, isDefault } of rows) {
    const key = `${area} ${name}`;
    const difference = differences.get(key) ?? { area, name, byRun: new Map() };
    differences.set(key, difference);
    difference.byRun.set(runId, {
      value: value === null ? null : settingText(value, unit),
      requested: requested === 1,
      isDefault: isDefault === 1,
    });
  }
  return [...differences.values()];
}

const DIFFERING = `
WITH chosen AS MATERIALIZED (
  SELECT run_key, run_id, seed, tool_version, config_sha256 FROM run
  WHERE run_id IN (SELECT value FROM json_each(@runIds))
),
fact AS MATERIALIZED (
  SELECT run_key, category AS area, name, CAST(value AS TEXT) AS value, NULL AS unit,
    0 AS requested, 0 AS isDefault
  FROM run_fact WHERE run_key IN (SELECT run_key FROM chosen)
  UNION ALL
  SELECT run_key, 'setting', name, actual, unit, requested IS NOT NULL,
    coalesce(source IN ('default', 'override'), 0)
  FROM setting WHERE run_key IN (SELECT run_key FROM chosen) AND actual IS NOT NULL
  UNION ALL SELECT run_key, 'run', 'seed', CAST(seed AS TEXT), NULL, 0, 0 FROM chosen
  UNION ALL SELECT run_key, 'run', 'tool_version', tool_version, NULL, 0, 0 FROM chosen
  UNION ALL SELECT run_key, 'run', 'config_sha256', config_sha256, NULL, 0, 0 FROM chosen
),
varied AS (
  SELECT area, name FROM fact GROUP BY area, name
  HAVING count(DISTINCT coalesce(value || ' ' || coalesce(unit, ''), '')) > 1
    OR (area = 'setting' AND count(*) < (SELECT count(*) FROM chosen))
)
SELECT chosen.run_id AS runId, fact.area, fact.name, fact.value, fact.unit, fact.requested, fact.isDefault
FROM varied JOIN fact USING (area, name) JOIN chosen USING (run_key)
ORDER BY fact.area, fact.name, run_key`;
