import { NO_RESULTS, type RunRecord, type StepMetrics, type StepRecord } from '../src/index.ts';

/** A run that is done, of one client, with build and config from its tag. */
export function run(
  tag: string,
  steps: readonly StepRecord[],
  more: Partial<RunRecord> = {},
): RunRecord {
  return {
    runId: `${tag}-1`,
    tag,
    build: tag.split('.')[0]!,
    config: tag.split('.')[1] ?? 'default',
    workload: 'cached',
    repeat: 1,
    clients: 1,
    planRun: null,
    attempt: 1,
    status: 'done',
    message: null,
    startedAt: '2025-01-01T00:00:00Z',
    audits: [],
    steps: steps.map((step, seq) => ({ ...step, seq })),
    warnings: [],
    ...more,
  };
}

/** A step that is done and measured nothing but what is given. */
export function step(
  name: string,
  metrics: Partial<StepMetrics>,
  more: Partial<StepRecord> = {},
): StepRecord {
  return {
    step: name,
    seq: 0,
    status: 'done',
    message: null,
    ...NO_RESULTS,
    metrics: { ...NOTHING_MEASURED, ...metrics },
    warnings: [],
    audits: [],
    ...more,
  };
}

/** A step that did not end well. */
export function brokenStep(
  name: string,
  status: StepRecord['status'],
  message: string,
): StepRecord {
  return { ...step(name, {}), status, message, metrics: null };
}

const NOTHING_MEASURED: StepMetrics = {
  seconds: 1800,
  target_ips: null,
  sla_ok: null,
  ips: null,
  dps: null,
  qps: null,
  rps: null,
  rmbps: null,
  wps: null,
  wmbps: null,
  rpq: null,
  rkbpq: null,
  wpi: null,
  wkbpi: null,
  csps: null,
  cpups: null,
  cspq: null,
  cpupq: null,
  dbgb1: null,
  dbgb2: null,
  rss: null,
  maxop: null,
  p50: null,
  p99: null,
  rows_inserted: 0,
  rows_deleted: 0,
  queries: 0,
  rows_per_query: null,
  fgcpupq: null,
  fgcpupq_insert: null,
  fgcpupq_delete: null,
  fgcpupq_query: null,
  bgcpupq: null,
  clcpupq: null,
  otcpupq: null,
  fsyncs_per_s: null,
  fsyncs_per_insert: null,
  r_await: null,
  w_await: null,
  f_await: null,
  iowait_pct: null,
  steal_pct: null,
  wal_bytes_per_insert: null,
  full_page_images_per_insert: null,
  server_wait_share: null,
  client_bound: null,
  client_rate_ratio: null,
  all_active_rate: null,
};
