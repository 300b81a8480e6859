import type { StepResult } from '../result.ts';
import type { Role, StatementKind, StepKind } from '../step.ts';
import { isQueryStep } from '../step.ts';
import { clientBound } from './client-bound.ts';
import type { StepMetrics } from './columns.ts';
import { cpuPerOp } from './cpu-per-op.ts';
import { fairness } from './fairness.ts';
import { divide, normalise, scale } from './normalise.ts';
import { osRates } from './os-rates.ts';
import { ratePercentile } from './rate-percentile.ts';
import { slaMet } from './sla.ts';
import { timesOf } from './times-summary.ts';

const BYTES_PER_GB = 1024 ** 3;

/**
 * All columns of SPEC 4.3 for one finished step, computed from its raw result. `step` decides what
 * throughput is (ips in l.*, qps in q*), `kind` what the step has at all: l.x reports rows indexed/s as
 * its ips, settle has no throughput. A role without workers has no rate. null: not defined or not measured.
 */
export function stepMetrics(step: string, kind: StepKind, result: StepResult): StepMetrics {
  const basis = isQueryStep(step) ? 'qps' : 'ips';
  const work = workDone(kind, result);
  const os = osRates(result.osBefore, result.osAfter);
  const perOp = normalise({ ...work, ...os }, basis);
  const inserts = scale(work.ips, result.seconds);
  const { databaseBytes, dataDirectoryBytes, residentBytes } = result.sizes;
  const { targetIps } = result;
  return {
    seconds: result.seconds,
    target_ips: targetIps,
    sla_ok: targetIps === null || work.ips === null ? null : slaMet(work.ips, targetIps),
    ...work,
    rps: os.rps,
    rmbps: os.rmbps,
    wps: os.wps,
    wmbps: os.wmbps,
    csps: os.csps,
    cpups: os.cpups,
    ...perOp,
    dbgb1: divide(databaseBytes, BYTES_PER_GB),
    dbgb2: divide(dataDirectoryBytes, BYTES_PER_GB),
    rss: divide(residentBytes, BYTES_PER_GB),
    ...extremes(kind, basis === 'qps' ? 'query' : 'insert', result),
    ...cpuPerOp({
      split: result.cpuSplit,
      cpupq: perOp.cpupq,
      operations: os.intervalS === null ? null : scale(work[basis], os.intervalS),
      roles: new Set(result.workers.map((worker) => worker.role)),
    }),
    fsyncs_per_s: os.fsyncs_per_s,
    fsyncs_per_insert: divide(os.fsyncs_per_s, work.ips),
    r_await: os.r_await,
    w_await: os.w_await,
    f_await: os.f_await,
    iowait_pct: os.iowait_pct,
    steal_pct: os.steal_pct,
    wal_bytes_per_insert: divide(result.wal.walBytes, inserts),
    full_page_images_per_insert: divide(result.wal.fullPageImages, inserts),
    ...clientBound(step, result.workers),
    ...fairness(step, result),
  };
}

type Work = Pick<
  StepMetrics,
  'ips' | 'dps' | 'qps' | 'rows_inserted' | 'rows_deleted' | 'queries' | 'rows_per_query'
>;

function workDone(kind: StepKind, { workers, seconds, rowsIndexed }: StepResult): Work {
  const total = (role: Role, field: 'rows' | 'operations'): number =>
    workers.reduce((sum, worker) => sum + (worker.role === role ? worker[field] : 0), 0);
  const perS = (role: Role, done: number): number | null =>
    workers.some((worker) => worker.role === role) ? divide(done, seconds) : null;
  const inserted = total('insert', 'rows');
  const deleted = total('delete', 'rows');
  const queries = total('query', 'operations');
  return {
    ips: kind === 'index' ? divide(rowsIndexed, seconds) : perS('insert', inserted),
    dps: perS('delete', deleted),
    qps: perS('query', queries),
    rows_inserted: inserted,
    rows_deleted: deleted,
    queries,
    rows_per_query: divide(total('query', 'rows'), queries),
  };
}

/** Slowest operation and percentiles of the per-second rate; l.x and settle execute no such operations. */
function extremes(
  kind: StepKind,
  statement: StatementKind,
  { workers, perSecond }: StepResult,
): Pick<StepMetrics, 'maxop' | 'p50' | 'p99'> {
  if (kind === 'index' || kind === 'settle') return { maxop: null, p50: null, p99: null };
  const slowestUs = timesOf(workers, statement, 'service').map((times) => times.maxUs);
  return {
    maxop: slowestUs.length === 0 ? null : Math.max(...slowestUs) / 1e6,
    p50: ratePercentile(perSecond, 50),
    p99: ratePercentile(perSecond, 99),
  };
}
