import {
  type Fact,
  OS_COLUMNS,
  type OsColumn,
  type OsSeries,
  type Provenance,
  type SettingFact,
  STATEMENT_KINDS,
  type StatementKind,
  type StatementSeries,
  type StepSeries,
  type TimesHistogram,
  type WaitSeries,
} from '@ibench/core';
import { prepare, type Store } from './open.ts';
import { loadServerSeries } from './server-series.ts';

interface SecondSum {
  readonly kind: StatementKind;
  readonly second: number;
  readonly ops: number;
  readonly rows: number;
  readonly max_us: number | null;
}

type OsRow = Readonly<Record<OsColumn | 'second', number | null>>;

type BucketRow = Pick<TimesHistogram, 'kind' | 'clock'> & {
  readonly upperUs: number;
  readonly count: number;
};

/** The per-second series of a step of a run; empty where there are none. */
export function loadSeries(store: Store, runId: string, step: string): StepSeries {
  const seconds = prepare(
    store,
    `SELECT kind, second, sum(ops) AS ops, sum(rows) AS rows, max(max_us) AS max_us
     FROM per_second WHERE run_id = ? AND step = ? GROUP BY kind, second ORDER BY second`,
  ).all(runId, step) as SecondSum[];
  const statements = STATEMENT_KINDS.map((kind) => statementSeries(kind, seconds));
  return {
    statements: statements.filter((series) => series.seconds.length > 0),
    os: loadOsSeries(store, runId, step),
    waits: loadWaitSeries(store, runId, step),
    server: loadServerSeries(store, runId, step),
  };
}

function statementSeries(kind: StatementKind, all: readonly SecondSum[]): StatementSeries {
  const own = all.filter((row) => row.kind === kind);
  return {
    kind,
    seconds: own.map(({ second }) => second),
    ops: own.map(({ ops }) => ops),
    rows: own.map(({ rows }) => rows),
    maxUs: own.map(({ max_us }) => max_us ?? Number.NaN),
  };
}

/** Rates and queues add up over devices; the time of a flush is the mean over all flushes. */
function loadOsSeries(store: Store, runId: string, step: string): OsSeries {
  const rows = prepare(
    store,
    `SELECT second, max(us) AS us, max(sy) AS sy, max(wa) AS wa, max(st) AS st, max(r) AS r, max(cs) AS cs,
       sum(reads_per_s) AS reads_per_s, sum(read_kb_per_s) AS read_kb_per_s,
       sum(writes_per_s) AS writes_per_s, sum(write_kb_per_s) AS write_kb_per_s,
       sum(flushes_per_s) AS flushes_per_s,
       sum(flush_await_ms * flushes_per_s) / nullif(sum(flushes_per_s), 0) AS flush_await_ms,
       sum(queue_size) AS queue_size
     FROM os_samples WHERE run_id = ? AND step = ? GROUP BY second ORDER BY second`,
  ).all(runId, step) as OsRow[];
  const columns = OS_COLUMNS.map((name) => [name, rows.map((row) => row[name] ?? Number.NaN)]);
  return {
    seconds: rows.map(({ second }) => second ?? Number.NaN),
    columns: Object.fromEntries(columns) as OsSeries['columns'],
  };
}

interface WaitSecond {
  readonly second: number;
  /** null: nobody was active. */
  readonly waitType: string | null;
  readonly active: number | null;
}

/** All roles together; a second in which nobody was active is there, too. */
function loadWaitSeries(store: Store, runId: string, step: string): WaitSeries {
  const rows = prepare(
    store,
    `SELECT s.second, w.wait_type AS waitType, 1.0 * sum(w.sessions) / s.samples AS active
     FROM run JOIN step USING (run_key) JOIN server_second s USING (step_key)
       LEFT JOIN wait_second w ON w.step_key = s.step_key AND w.second = s.second
     WHERE run_id = ? AND step = ? AND s.samples > 0
     GROUP BY s.second, w.wait_type ORDER BY s.second`,
  ).all(runId, step) as WaitSecond[];
  const seconds = [...new Set(rows.map(({ second }) => second))];
  const positions = new Map(seconds.map((second, i) => [second, i]));
  const active = new Map<string, number[]>();
  for (const { second, waitType, active: sessions } of rows) {
    if (waitType === null || sessions === null) continue;
    const values = active.get(waitType) ?? seconds.map(() => 0);
    values[positions.get(second)!] = sessions;
    active.set(waitType, values);
  }
  return { seconds, active };
}

/** Histograms of a done step by kind and clock; none for other steps. */
export function loadHistograms(store: Store, runId: string, step: string): TimesHistogram[] {
  const rows = prepare(
    store,
    `SELECT kind, clock, upper_us AS upperUs, sum(count) AS count FROM response_times
     WHERE run_id = ? AND step = ? GROUP BY kind, clock, upper_us ORDER BY kind, clock, upper_us`,
  ).all(runId, step) as BucketRow[];
  const histograms = new Map<string, BucketRow[]>();
  for (const row of rows) {
    const key = `${row.kind} ${row.clock}`;
    const buckets = histograms.get(key);
    if (buckets === undefined) histograms.set(key, [row]);
    else buckets.push(row);
  }
  return [...histograms.values()].map((buckets) => ({
    kind: buckets[0]!.kind,
    clock: buckets[0]!.clock,
    buckets: buckets.map(({ upperUs, count }) => ({ upperUs, count })),
  }));
}

/** What is known about a run beside its results; undefined without such a run. */
export function loadProvenance(store: Store, runId: string): Provenance | undefined {
  const run = prepare(
    store,
    `SELECT run_id AS runId, finished_at AS finishedAt, directory, seed, tool_version AS toolVersion,
       command_line AS commandLine, config_text AS configText, config_sha256 AS configSha256
     FROM runs WHERE run_id = ?`,
  ).get(runId) as Omit<Provenance, 'facts' | 'settings'> | undefined;
  if (run === undefined) return undefined;
  const facts = prepare(
    store,
    `SELECT category, name, value FROM run_fact JOIN run USING (run_key) WHERE run_id = ?
     ORDER BY category, name`,
  ).all(runId) as Fact[];
  const settings = prepare(
    store,
    'SELECT name, requested, actual, unit, source FROM settings WHERE run_id = ? ORDER BY name',
  ).all(runId) as SettingFact[];
  return { ...run, facts, settings };
}
