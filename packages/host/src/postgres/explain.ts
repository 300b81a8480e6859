import type { QueryText } from '@ibench/core';
import type { StatementPlan } from '../engine.ts';
import { type Admin, run } from './admin.ts';

/** Plans of queries, with a typical parameter in place of each placeholder. */
export async function explainQueries(
  admin: Admin,
  queries: readonly QueryText[],
  ids: { readonly smallest: number; readonly largest: number },
): Promise<StatementPlan[]> {
  const plans: StatementPlan[] = [];
  for (const query of queries) {
    const value = (i: number): number =>
      query.domain === null
        ? Math.floor(ids.smallest + ((ids.largest - ids.smallest) * (i + 1)) / query.parts.length)
        : Math.floor(query.domain / 2);
    const sql = query.parts.reduce((text, part, i) => text + value(i - 1) + part);
    const rows = await run(admin, `explain ${sql}`, `explaining the query ${query.name}`, null);
    plans.push({ statement: query.name, text: rows.map((row) => row['QUERY PLAN']).join('\n') });
  }
  return plans;
}
