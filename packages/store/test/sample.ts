import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type {
  Audit,
  AuditName,
  AuditVerdict,
  Debt,
  IoSample,
  OsCounters,
  OsSample,
  ServerFigures,
  ServerResult,
  StepMetrics,
  StepResult,
  TimesResult,
  TimesSummary,
  WorkerResult,
} from '@ibench/core';
import { closeStore, type FinishedStep, type NewRun, openStore, type Store } from '../src/index.ts';

export const AT = '2026-01-02T03:04:05.000Z';
export const LATER = '2026-01-02T04:00:00.000Z';

/** A path in a folder that is removed after the test. */
export function temporaryPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'ibench-store-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  // Tests change the mode of the folder and of the one above: neither is anybody else's.
  const below = join(folder, 'new');
  mkdirSync(below);
  return join(below, 'ibench.sqlite');
}

/** A new store that is closed after the test. */
export function temporaryStore(t: TestContext): Store {
  const store = openStore(temporaryPath(t));
  t.after(() => closeStore(store));
  return store;
}

export function newRun(changes: Partial<NewRun> = {}): NewRun {
  return {
    runId: 'r1',
    tag: 'pg18.cx10b',
    build: 'pg18',
    config: 'cx10b',
    workload: 'tiny',
    clients: 2,
    startedAt: AT,
    directory: '/runs/r1',
    runnerPid: 4242,
    runnerStart: '777-boot',
    seed: 9_007_199_254_740_991,
    toolVersion: '0.1.0',
    commandLine: 'ibench run --preset tiny',
    ...changes,
  };
}

/** Times of `count` operations, all in the bucket with this index. */
export function timesIn(
  index: number,
  count: number,
  changes: Partial<TimesResult> = {},
): TimesResult {
  return {
    clock: 'service',
    count,
    maxUs: 1000,
    sumUs: count * 5,
    decimal: [count - 1, 1, 0, 0, 0, 0, 0, 0, 0, 0],
    buckets: [[index, count]],
    ...changes,
  };
}

export function worker(changes: Partial<WorkerResult> = {}): WorkerResult {
  return {
    client: 1,
    role: 'insert',
    pid: 100,
    backendPid: 200,
    finishedS: 12.5,
    operations: 10,
    rows: 1000,
    retries: 1,
    errors: 0,
    cpu: { user: 1.25, system: 0.5 },
    backendCpu: { user: 3.5, system: 0.25 },
    waitServerS: 9,
    generateS: 1,
    waitQueueS: 2,
    resync: null,
    times: [timesIn(50, 10)],
    ...changes,
  };
}

function counters(atS: number): OsCounters {
  const cpu = { user: 1, nice: 2, system: 3, idle: 4, iowait: 5, irq: 6, softirq: 7, steal: 8 };
  const disk = { reads: 1, readSectors: 2, readMs: 3, writes: 4, writeSectors: 5, writeMs: 6 };
  return {
    atS,
    cpu,
    contextSwitches: 99,
    cpus: 8,
    disks: [{ device: 'nvme0n1', ...disk, flushes: null, flushMs: null }],
  };
}

/** Every figure has a value of its own, so that two exchanged columns show. */
const FIGURES: ServerFigures = {
  checkpoints_timed: 1,
  checkpoints_requested: 2,
  wal_bytes: 3,
  full_page_images: null,
  buffers_checkpointer: 4,
  buffers_bgwriter: 5,
  buffers_backends: 6,
  heap_blocks_read: 7,
  heap_blocks_hit: 8,
  index_blocks_read: 9,
  index_blocks_hit: 10,
  temp_files: 11,
  temp_bytes: 12,
  vacuums: 13,
  autovacuums: 14,
  analyzes: 15,
  autoanalyzes: 16,
  live_tuples: 17,
  dead_tuples: 18,
  dead_share: 0.25,
  table_bytes: 19,
  index_bytes: 20,
  checkpoint_cycles: 0.5,
  checkpoint_cycle_s: 25,
  autovacuum_cycles: null,
  autovacuum_cycle_s: null,
};

function debt(live: number): Debt {
  return {
    live_tuples: live,
    dead_tuples: live + 1,
    dead_share: 0.5,
    all_visible_share: 0.75,
    wal_since_redo_bytes: live + 2,
    dirty_buffers: null,
    oldest_xmin_age: live + 3,
    vacuums_running: 0,
  };
}

export function serverResult(): ServerResult {
  const figure = { source: 'pg_stat_wal', object: '', name: 'wal_records' };
  return {
    changes: [
      { ...figure, before: 100, after: 350, delta: 250 },
      { ...figure, name: 'reset', before: 100, after: 5, delta: null },
    ],
    figures: FIGURES,
    opening: debt(1000),
    closing: debt(2000),
    sampling: [
      { what: 'activity', samples: 12, missed: 1, totalS: 0.012, maxS: 0.004, backendCpuS: 0.01 },
    ],
  };
}

export function stepResult(changes: Partial<StepResult> = {}): StepResult {
  return {
    seconds: 12.5,
    targetIps: null,
    rowsIndexed: 0,
    workers: [worker()],
    perSecond: [80, 80],
    background: [],
    osBefore: counters(1),
    osAfter: counters(13.5),
    cpuSplit: {
      insertBackends: 3.75,
      deleteBackends: 0,
      queryBackends: 0,
      maintenanceBackend: 0,
      background: 0.5,
      loadGenerator: 1.75,
    },
    sizes: { databaseBytes: 8_000_000, dataDirectoryBytes: null, residentBytes: 1_000_000 },
    wal: { walBytes: 500_000, fullPageImages: null },
    server: serverResult(),
    tables: [{ table: 'pi1', before: 0, after: null }],
    warnings: ['only 12 s long'],
    audits: [],
    ...changes,
  };
}

export function audit(name: AuditName, verdict: AuditVerdict = 'ok'): Audit {
  return { name, verdict, value: 1.5, bound: null, reason: `${name} is ${verdict}` };
}

/** Every metric has a value of its own, so that two exchanged columns show. */
export function metrics(changes: Partial<StepMetrics> = {}): StepMetrics {
  return {
    seconds: 12.5,
    target_ips: 100,
    sla_ok: true,
    ips: 1.5,
    dps: 2.5,
    qps: 3.5,
    rps: 4.5,
    rmbps: 5.5,
    wps: 6.5,
    wmbps: 7.5,
    rpq: 8.5,
    rkbpq: 9.5,
    wpi: 10.5,
    wkbpi: 11.5,
    csps: 12.25,
    cpups: 13.5,
    cspq: 14.5,
    cpupq: 15.5,
    dbgb1: 16.5,
    dbgb2: 17.5,
    rss: 18.5,
    maxop: 19.5,
    p50: 20.5,
    p99: 21.5,
    rows_inserted: 22,
    rows_deleted: 23,
    queries: 24,
    rows_per_query: 25.5,
    fgcpupq: 26.5,
    fgcpupq_insert: 27.5,
    fgcpupq_delete: 28.5,
    fgcpupq_query: 29.5,
    bgcpupq: 30.5,
    clcpupq: 31.5,
    otcpupq: 32.5,
    fsyncs_per_s: 33.5,
    fsyncs_per_insert: 34.5,
    r_await: 35.5,
    w_await: 36.5,
    f_await: 37.5,
    iowait_pct: 38.5,
    steal_pct: 39.5,
    wal_bytes_per_insert: 40.5,
    full_page_images_per_insert: 41.5,
    server_wait_share: 42.5,
    client_bound: true,
    client_rate_ratio: 43.5,
    all_active_rate: 44.5,
    ...changes,
  };
}

export function timesSummary(changes: Partial<TimesSummary> = {}): TimesSummary {
  return {
    kind: 'insert',
    clock: 'service',
    count: 10,
    maxUs: 1000.1,
    decimal: [9, 1, 0, 0, 0, 0, 0, 0, 0, 0],
    percentiles: { p50: 5, p90: 6, p95: 7, p99: 8, 'p99.9': 9, 'p99.99': 10.5 },
    ...changes,
  };
}

export function finished(changes: Partial<FinishedStep> = {}): FinishedStep {
  return {
    finishedAt: LATER,
    result: stepResult(),
    metrics: metrics(),
    times: [timesSummary()],
    ...changes,
  };
}

export function osSample(second: number, changes: Partial<OsSample> = {}): OsSample {
  return {
    second,
    vm: {
      r: 1,
      b: 2,
      swpd: 3,
      free: 4,
      buff: 5,
      cache: 6,
      si: 7,
      so: 8,
      bi: 9,
      bo: 10,
      interrupts: 11,
      cs: 12,
      us: 13,
      sy: 14,
      idle: 15,
      wa: 16,
      st: 17,
      gu: null,
    },
    io: [ioSample('nvme0n1')],
    ...changes,
  };
}

export function ioSample(device: string, changes: Partial<IoSample> = {}): IoSample {
  return {
    device,
    readsPerS: 1,
    readKbPerS: 2,
    readAwaitMs: 3,
    writesPerS: 4,
    writeKbPerS: 5,
    writeAwaitMs: 6,
    discardsPerS: 7,
    discardKbPerS: 8,
    discardAwaitMs: 9,
    flushesPerS: null,
    flushAwaitMs: null,
    queueSize: 10,
    utilPct: 11,
    ...changes,
  };
}
