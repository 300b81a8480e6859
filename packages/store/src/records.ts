import {
  NO_RESULTS,
  PERCENTILES,
  type RunIdentity,
  type RunRecord,
  type Status,
  type StepMetrics,
  type StepRecord,
  type TimesSummary,
} from '@ibench/core';
import { loadRunAudits, loadStepAudits } from './audits.ts';
import { type BranchSource, loadBranchSource } from './branches.ts';
import { loadClientRates } from './clients.ts';
import { prepare, type Store } from './open.ts';
import { loadServer } from './server.ts';
import { loadSla } from './sla.ts';
import { DECIMAL_COLUMNS, percentileColumn } from './times.ts';

/** Which runs to load; what is not given does not restrict. */
export interface RunFilter {
  readonly runIds?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly build?: string | undefined;
  readonly config?: string | undefined;
  readonly workload?: string | undefined;
}

/** One run in a list of runs. */
export interface RunListing extends RunIdentity, Pick<RunRecord, 'planRun' | 'attempt'> {
  readonly status: Status;
  readonly message: string | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly directory: string;
}

type RunRow = Omit<RunRecord, 'steps' | 'warnings' | 'audits'> & { readonly runKey: number };
type StepRow = Pick<StepRecord, 'step' | 'seq' | 'status' | 'message'> & {
  readonly stepKey: number;
};
type MetricsRow = Omit<StepMetrics, 'sla_ok' | 'client_bound'> & {
  readonly step_key: number;
  readonly sla_ok: number | null;
  readonly client_bound: number | null;
};
type TimesRow = Pick<TimesSummary, 'kind' | 'clock' | 'count'> &
  Readonly<Record<string, number | null>> & { readonly max_us: number };

/** The matching runs with their steps, in order of start, all from one moment. */
export function loadRuns(store: Store, filter: RunFilter = {}): RunRecord[] {
  return store.db.transaction(() => loadMatching(store, filter))();
}

/** All runs without their steps, in order of start. */
export function listRuns(store: Store): RunListing[] {
  return prepare(
    store,
    `SELECT run_id AS runId, tag, build, config, workload, repeat, clients,
       plan_run_key AS planRun, attempt, status, message, started_at AS startedAt, finished_at AS finishedAt, directory
     FROM run ORDER BY run_key`,
  ).all() as RunListing[];
}

function loadMatching(store: Store, filter: RunFilter): RunRecord[] {
  const rows = prepare(
    store,
    `SELECT run_key AS runKey, run_id AS runId, tag, build, config, workload, repeat, clients,
       plan_run_key AS planRun, attempt, status, message, started_at AS startedAt
     FROM run
     WHERE (@runIds IS NULL OR run_id IN (SELECT value FROM json_each(@runIds)))
       AND (@tags IS NULL OR tag IN (SELECT value FROM json_each(@tags)))
       AND (@build IS NULL OR build = @build)
       AND (@config IS NULL OR config = @config)
       AND (@workload IS NULL OR workload = @workload)
     ORDER BY run_key`,
  ).all({
    runIds: filter.runIds === undefined ? null : JSON.stringify(filter.runIds),
    tags: filter.tags === undefined ? null : JSON.stringify(filter.tags),
    build: filter.build ?? null,
    config: filter.config ?? null,
    workload: filter.workload ?? null,
  }) as RunRow[];
  const loaded = new Set(rows.map(({ runKey }) => runKey));
  return rows.map(({ runKey, ...run }) => ({
    ...run,
    steps: [...loadInherited(store, runKey, loaded), ...loadSteps(store, runKey)],
    warnings: loadRunWarnings(store, runKey),
    audits: loadRunAudits(store, runKey),
  }));
}

/**
 * The steps that a run did not run itself, since it started from the data of another. They count with the run that
 * ran them, which is known by its place among the loaded ones; an earlier attempt at the same repeat is left out of
 * tables, and what it measured counts with the attempt that is not.
 */
function loadInherited(store: Store, runKey: number, loaded: ReadonlySet<number>): StepRecord[] {
  const source = loadBranchSource(store, runKey);
  if (source === null) return [];
  const countHere = source.isSameRepeat && !loaded.has(source.runKey);
  const steps = countHere
    ? loadSteps(store, source.runKey, source.afterSeq)
    : namedSteps(store, source);
  return steps.map((step) => ({ ...step, inheritedFrom: source.runId }));
}

function namedSteps(store: Store, { runKey, afterSeq }: BranchSource): StepRecord[] {
  const rows = prepare(
    store,
    'SELECT step, seq FROM step WHERE run_key = ? AND seq <= ? ORDER BY seq',
  ).all(runKey, afterSeq) as Pick<StepRecord, 'step' | 'seq'>[];
  const nothing = { ...NO_RESULTS, message: null, warnings: [], audits: [] };
  return rows.map((row) => ({ ...row, ...nothing, status: 'inherited' }));
}

function loadSteps(store: Store, runKey: number, upToSeq: number | null = null): StepRecord[] {
  const rows = prepare(
    store,
    `SELECT step_key AS stepKey, step, seq, status, message FROM step
     WHERE run_key = @runKey AND (@upToSeq IS NULL OR seq <= @upToSeq) ORDER BY seq`,
  ).all({ runKey, upToSeq }) as StepRow[];
  return rows.map(({ stepKey, ...step }) => ({
    ...step,
    ...(step.status === 'done' ? loadResults(store, stepKey) : NO_RESULTS),
    warnings: loadWarnings(store, stepKey),
    audits: loadStepAudits(store, stepKey),
  }));
}

function loadResults(store: Store, stepKey: number): typeof NO_RESULTS {
  return {
    metrics: loadMetrics(store, stepKey),
    times: loadTimes(store, stepKey),
    clients: loadClientRates(store, stepKey),
    server: loadServer(store, stepKey),
    sla: loadSla(store, stepKey),
  };
}

function loadMetrics(store: Store, stepKey: number): StepMetrics | null {
  const row = prepare(store, 'SELECT * FROM step_metrics WHERE step_key = ?').get(stepKey) as
    | MetricsRow
    | undefined;
  if (row === undefined) return null;
  const { step_key: _, sla_ok, client_bound, ...metrics } = row;
  return { ...metrics, sla_ok: toBoolean(sla_ok), client_bound: toBoolean(client_bound) };
}

function toBoolean(value: number | null): boolean | null {
  return value === null ? null : value === 1;
}

function loadTimes(store: Store, stepKey: number): TimesSummary[] {
  const rows = prepare(
    store,
    'SELECT * FROM step_times WHERE step_key = ? AND client IS NULL ORDER BY step_times_key',
  ).all(stepKey) as TimesRow[];
  return rows.map((row) => ({
    kind: row.kind,
    clock: row.clock,
    count: row.count,
    maxUs: row.max_us,
    decimal: DECIMAL_COLUMNS.map((column) => row[column] ?? Number.NaN),
    percentiles: Object.fromEntries(
      Object.keys(PERCENTILES).map((name) => [name, row[percentileColumn(name)] ?? Number.NaN]),
    ),
  }));
}

function loadWarnings(store: Store, stepKey: number): string[] {
  return prepare(store, 'SELECT text FROM warning WHERE step_key = ? ORDER BY warning_key')
    .pluck()
    .all(stepKey) as string[];
}

function loadRunWarnings(store: Store, runKey: number): string[] {
  return prepare(store, 'SELECT text FROM run_warning WHERE run_key = ? ORDER BY text')
    .pluck()
    .all(runKey) as string[];
}
