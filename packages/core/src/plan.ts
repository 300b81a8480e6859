import type { StepKind } from './step.ts';
import type { Workload } from './workload/workload.ts';

/** What a read-write step queries. */
export type QueryShape = 'range' | 'point';

/** One step with everything decided: counts, rates, lengths. */
export interface StepPlan {
  /** Position in the run, from 1. */
  readonly seq: number;
  readonly name: string;
  readonly kind: StepKind;
  /** Rows changed by one statement; 0 where the step has no statements of the load generator. */
  readonly rowsPerCommit: number;
  /** Rows that each client inserts (by client number − 1); null: until the deadline. */
  readonly rowsPerClient: readonly number[] | null;
  readonly deletes: boolean;
  readonly queries: QueryShape | null;
  /** Inserts per second and client; null: as fast as possible. */
  readonly targetRate: number | null;
  /** Length of a step that is ended by time, seconds. */
  readonly seconds: number | null;
}

const RATES = [100, 500, 1000] as const;

/** The steps of a run in order (SPEC 3.2), for this workload. */
export function planSteps(workload: Workload): readonly StepPlan[] {
  const w = workload;
  const steps: Omit<StepPlan, 'seq'>[] = [
    { ...write(w, 'l.i0', w.l_i0_rows_per_commit, w.rows), kind: 'load', deletes: false },
    { ...idle('l.x', 'index'), seconds: null },
    write(w, 'l.i1', w.l_i1_rows_per_commit, w.l_i1_rows),
    write(w, 'l.i2', w.l_i2_rows_per_commit, w.l_i2_rows),
    { ...idle('settle', 'settle'), seconds: w.settle_seconds ?? settleSeconds(w) },
    ...RATES.flatMap((rate) => [readWrite(w, rate, 'range'), readWrite(w, rate, 'point')]),
  ];
  return steps.map((step, i) => ({ seq: i + 1, ...step }));
}

/** S = min(60 + rows loaded / 1,000,000, 1200) seconds (SPEC 3.6), rows loaded over all tables. */
export function settleSeconds(workload: Workload): number {
  const loaded = workload.rows * (workload.tables === 'shared' ? 1 : workload.clients);
  return Math.round(Math.min(60 + loaded / 1_000_000, 1200));
}

/** Names of the benchmark's tables, one for each client or one for all. */
export function tableNames(workload: Workload): readonly string[] {
  const n = workload.tables === 'shared' ? 1 : workload.clients;
  return Array.from({ length: n }, (_, i) => `pi${i + 1}`);
}

/** The table that a client (from 1) works on. */
export function tableOf(workload: Workload, client: number): string {
  return workload.tables === 'shared' ? 'pi1' : `pi${client}`;
}

/**
 * Rows that each table holds after these steps, the first of a run, have run to their end.
 *
 * @param steps none that ends by time
 */
export function rowsAfter(workload: Workload, steps: readonly StepPlan[]): Map<string, number> {
  const rows = new Map<string, number>();
  for (const { rowsPerClient, deletes } of steps) {
    for (const [i, inserted] of (rowsPerClient ?? []).entries()) {
      const table = tableOf(workload, i + 1);
      rows.set(table, (rows.get(table) ?? 0) + (deletes ? 0 : inserted));
    }
  }
  return rows;
}

function write(
  w: Workload,
  name: string,
  rowsPerCommit: number,
  rowsPerTable: number,
): Omit<StepPlan, 'seq'> {
  return {
    name,
    kind: 'write',
    rowsPerCommit,
    rowsPerClient: shareRows(w, rowsPerTable),
    deletes: w.deletes,
    queries: null,
    targetRate: null,
    seconds: null,
  };
}

/** Rows per client: those of its own table, or a fair share of the shared one. */
function shareRows(w: Workload, rowsPerTable: number): readonly number[] {
  return Array.from({ length: w.clients }, (_, i) => {
    if (w.tables === 'per-client') return rowsPerTable;
    return (
      Math.floor((rowsPerTable * (i + 1)) / w.clients) - Math.floor((rowsPerTable * i) / w.clients)
    );
  });
}

function idle(name: string, kind: StepKind): Omit<StepPlan, 'seq' | 'seconds'> {
  return {
    name,
    kind,
    rowsPerCommit: 0,
    rowsPerClient: null,
    deletes: false,
    queries: null,
    targetRate: null,
  };
}

function readWrite(w: Workload, rate: number, queries: QueryShape): Omit<StepPlan, 'seq'> {
  return {
    name: `${queries === 'range' ? 'qr' : 'qp'}${rate}`,
    kind: 'read-write',
    rowsPerCommit: Math.min(w.read_write_rows_per_commit, rate),
    rowsPerClient: null,
    deletes: w.deletes,
    queries,
    targetRate: rate,
    seconds: w.read_write_seconds,
  };
}
