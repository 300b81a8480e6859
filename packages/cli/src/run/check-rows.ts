import {
  QUEUE_STATEMENTS,
  RunError,
  type StepPlan,
  type StepResult,
  type TableRows,
  tableNames,
  tableOf,
  type Workload,
} from '@ibench/core';
import type { DatabaseServer } from '@ibench/host';

/** Rows of a table: null where it is too large to be counted, and what they should be now in any case. */
export interface CheckedRows extends TableRows {
  readonly expected: number;
}

/** Rows changed in one table by a step, as the workers counted them. */
interface Changed {
  readonly inserted: number;
  readonly deleted: number;
}

/**
 * Checks what must hold after every step (SPEC 3.2): all rows of a counted step done, inserts = deletes
 * apart from the queue at a deadline, and the tables hold what they held plus what was changed.
 *
 * @param before rows that each table should hold before the step
 * @throws RunError that names the table and the numbers
 */
export async function checkRows(
  server: DatabaseServer,
  workload: Workload,
  step: StepPlan,
  { result, before }: { result: StepResult; before: ReadonlyMap<string, number> },
): Promise<CheckedRows[]> {
  const tables = tableNames(workload);
  const changed = new Map(tables.map((table) => [table, changedIn(table, workload, result)]));
  for (const [table, change] of changed) checkStatements(table, workload, step, change);
  const counted = await countSmall(server, workload, before);
  return tables.map((table) => {
    const was = before.get(table) ?? 0;
    const { inserted, deleted } = changed.get(table) as Changed;
    const after = counted.get(table) ?? null;
    if (after !== null && after !== was + inserted - deleted) {
      throw new RunError(
        `${table} had ${was} rows, ${inserted} were inserted and ${deleted} deleted, but it holds ${after} instead of ${was + inserted - deleted}`,
      );
    }
    const isCounted = after !== null;
    return { table, before: isCounted ? was : null, after, expected: was + inserted - deleted };
  });
}

function changedIn(table: string, workload: Workload, result: StepResult): Changed {
  const sum = (role: string): number =>
    result.workers
      .filter((worker) => worker.role === role && tableOf(workload, worker.client) === table)
      .reduce((rows, worker) => rows + worker.rows, 0);
  return { inserted: sum('insert'), deleted: sum('delete') };
}

function checkStatements(
  table: string,
  workload: Workload,
  step: StepPlan,
  { inserted, deleted }: Changed,
): void {
  const planned = step.rowsPerClient?.reduce(
    (rows, count, i) => rows + (tableOf(workload, i + 1) === table ? count : 0),
    0,
  );
  if (planned !== undefined && inserted !== planned) {
    throw new RunError(`${inserted} rows were inserted into ${table} instead of ${planned}`);
  }
  if (!step.deletes) return;
  const allowed = planned === undefined ? QUEUE_STATEMENTS * step.rowsPerCommit : 0;
  if (Math.abs(inserted - deleted) > allowed) {
    throw new RunError(
      `${inserted} rows were inserted into ${table} and ${deleted} deleted; they may differ by at most ${allowed}`,
    );
  }
}

async function countSmall(
  server: DatabaseServer,
  workload: Workload,
  before: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const small = tableNames(workload).filter(
    (table) => Math.max(before.get(table) ?? 0, workload.rows) <= workload.count_rows_up_to,
  );
  const counts = await server.countRows(small);
  return new Map(small.map((table, i) => [table, counts[i] as number]));
}
