import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepMetrics } from '../src/metrics/index.ts';
import type { StepResult, WorkerResult } from '../src/result.ts';
import type { OsCounters } from '../src/sample.ts';
import type { Role } from '../src/step.ts';
import type { TimesResult } from '../src/times.ts';

const GB = 1024 ** 3;
const SECONDS = 100;
const CPUS = 8;
const CPU_SECONDS = CPUS * SECONDS;

const BEFORE: OsCounters = {
  atS: 1000,
  cpu: { user: 0, nice: 0, system: 0, idle: 0, iowait: 0, irq: 0, softirq: 0, steal: 0 },
  contextSwitches: 5_000_000,
  cpus: CPUS,
  disks: [
    {
      device: 'vda',
      reads: 0,
      readSectors: 0,
      readMs: 0,
      writes: 0,
      writeSectors: 0,
      writeMs: 0,
      flushes: 0,
      flushMs: 0,
    },
  ],
};

/** 70.7% of the CPUs, 27164 context switches/s, 125.2 MB/s and 506.9 writes/s. */
const AFTER: OsCounters = {
  ...BEFORE,
  atS: BEFORE.atS + SECONDS,
  cpu: {
    ...BEFORE.cpu,
    user: 0.5 * CPU_SECONDS,
    system: 0.207 * CPU_SECONDS,
    idle: 0.293 * CPU_SECONDS,
  },
  contextSwitches: BEFORE.contextSwitches + 27_164 * SECONDS,
  disks: [
    {
      device: 'vda',
      reads: 400,
      readSectors: 2048 * SECONDS,
      readMs: 200,
      writes: 50_690,
      writeSectors: 125.2 * 2048 * SECONDS,
      writeMs: 101_380,
      flushes: 2000,
      flushMs: 1000,
    },
  ],
};

const LOAD: StepResult = {
  seconds: SECONDS,
  targetIps: null,
  rowsIndexed: 0,
  workers: [
    worker('pace', 0, []),
    worker('insert', 13_513_500, [service(20_000), response(90_000_000)]),
    worker('insert', 13_513_500, [service(26_000)]),
  ],
  perSecond: Array.from({ length: SECONDS }, (_, i) => 270_220 + i),
  osBefore: BEFORE,
  osAfter: AFTER,
  cpuSplit: {
    insertBackends: 400,
    deleteBackends: 0,
    queryBackends: 0,
    maintenanceBackend: 0,
    background: 60,
    loadGenerator: 90,
  },
  sizes: { databaseBytes: 1.5 * GB, dataDirectoryBytes: 4 * GB, residentBytes: 0.25 * GB },
  wal: { walBytes: 27_027_000 * 200, fullPageImages: 270_270 },
  server: null,
  tables: [],
  warnings: [],
  audits: [],
  background: [],
};

const READ_WRITE: StepResult = {
  ...LOAD,
  targetIps: 400,
  workers: [
    worker('insert', 39_900, [service(11_000)]),
    worker('delete', 39_950, [service(12_000)]),
    worker('query', 40_000, [service(9000)], 4000),
    worker('query', 39_000, [service(10_000)], 4000),
  ],
  cpuSplit: {
    insertBackends: 20,
    deleteBackends: 10,
    queryBackends: 200,
    maintenanceBackend: 0,
    background: 40,
    loadGenerator: 150,
  },
};

const SPLIT = ['fgcpupq', 'bgcpupq', 'clcpupq', 'otcpupq'] as const;

test('the check of the specification: 21 µs, 0.101 switches and 0.474 kB per insert', () => {
  const metrics = stepMetrics('l.i0', 'load', LOAD);
  assert.equal(metrics.ips, 270_270);
  assert.equal(fixed(metrics.cpups, 1), '70.7');
  assert.equal(fixed(metrics.cpupq, 0), '21');
  assert.equal(metrics.csps, 27_164);
  assert.equal(fixed(metrics.cspq, 3), '0.101');
  assert.equal(fixed(metrics.wmbps, 1), '125.2');
  assert.equal(fixed(metrics.wkbpi, 3), '0.474');
  assert.equal(metrics.wps, 506.9);
  assert.equal(fixed(metrics.wpi, 3), '0.002');
});

test('a load step has neither deletes nor queries nor an SLA', () => {
  const metrics = stepMetrics('l.i0', 'load', LOAD);
  const { dps, qps, rows_per_query, target_ips, sla_ok, fgcpupq_delete, fgcpupq_query } = metrics;
  assert.deepEqual(
    { dps, qps, rows_per_query, target_ips, sla_ok, fgcpupq_delete, fgcpupq_query },
    {
      dps: null,
      qps: null,
      rows_per_query: null,
      target_ips: null,
      sla_ok: null,
      fgcpupq_delete: null,
      fgcpupq_query: null,
    },
  );
  assert.deepEqual(
    [metrics.rows_inserted, metrics.rows_deleted, metrics.queries],
    [27_027_000, 0, 0],
  );
});

test('sizes are in GB of 1024³, WAL is per insert, awaits and flushes are of the devices', () => {
  const metrics = stepMetrics('l.i0', 'load', LOAD);
  assert.deepEqual([metrics.dbgb1, metrics.dbgb2, metrics.rss], [1.5, 4, 0.25]);
  assert.deepEqual(
    [metrics.wal_bytes_per_insert, metrics.full_page_images_per_insert],
    [200, 0.01],
  );
  assert.deepEqual([metrics.r_await, metrics.w_await, metrics.f_await], [0.5, 2, 0.5]);
  assert.equal(metrics.fsyncs_per_s, 20);
  assert.equal(metrics.fsyncs_per_insert, 20 / 270_270);
});

test('maxop is the slowest service time of inserts in l.* and of queries in q*', () => {
  assert.equal(stepMetrics('l.i0', 'load', LOAD).maxop, 0.026);
  assert.equal(stepMetrics('qr100', 'read-write', READ_WRITE).maxop, 0.01);
});

test('percentiles are of the rate of all clients, and absent below ten seconds', () => {
  const metrics = stepMetrics('l.i0', 'load', LOAD);
  assert.deepEqual([metrics.p50, metrics.p99], [270_270, 270_221]);
  const short = stepMetrics('l.i0', 'load', { ...LOAD, perSecond: LOAD.perSecond.slice(0, 9) });
  assert.deepEqual([short.p50, short.p99], [null, null]);
});

test('a query step divides by queries, its writes by inserts', () => {
  const metrics = stepMetrics('qr100', 'read-write', READ_WRITE);
  assert.deepEqual([metrics.ips, metrics.dps, metrics.qps], [399, 399.5, 80]);
  assert.deepEqual([metrics.queries, metrics.rows_per_query], [8000, 9.875]);
  assert.equal(metrics.rpq, 4 / 80);
  assert.equal(metrics.rkbpq, 1024 / 80);
  assert.equal(metrics.cspq, 27_164 / 80);
  assert.equal(metrics.wpi, 506.9 / 399);
  assert.equal(fixed(metrics.wkbpi, 3), ((125.2 * 1024) / 399).toFixed(3));
  assert.equal(fixed(metrics.cpupq, 3), ((565.6 / 8000) * 1e6).toFixed(3));
});

test('the SLA is met at 95% of the target and missed below', () => {
  const slaOk = (rows: number) =>
    stepMetrics('qr100', 'read-write', {
      ...READ_WRITE,
      workers: [worker('insert', rows, [service(1)]), worker('query', 10, [service(1)])],
    }).sla_ok;
  assert.deepEqual([slaOk(38_000), slaOk(37_900)], [true, false]);
});

test('the CPU split names each kind of connection and adds up to cpupq', () => {
  const metrics = stepMetrics('qr100', 'read-write', READ_WRITE);
  const perQuery = (seconds: number) => (seconds / 8000) * 1e6;
  assert.equal(metrics.fgcpupq_insert, perQuery(20));
  assert.equal(metrics.fgcpupq_delete, perQuery(10));
  assert.equal(metrics.fgcpupq_query, perQuery(200));
  assert.equal(metrics.fgcpupq, perQuery(230));
  assert.equal(metrics.bgcpupq, perQuery(40));
  assert.equal(metrics.clcpupq, perQuery(150));
  assert.equal(fixed(metrics.otcpupq, 6), perQuery(565.6 - 420).toFixed(6));
  const sum = SPLIT.reduce((total, name) => total + (metrics[name] as number), 0);
  assert.ok(Math.abs(sum - (metrics.cpupq as number)) < 1e-6);
});

test('parts that add up to more than the machine leave a negative rest rather than a wrong sum', () => {
  const cpuSplit = { ...READ_WRITE.cpuSplit!, queryBackends: 400 };
  const metrics = stepMetrics('qr100', 'read-write', { ...READ_WRITE, cpuSplit });
  assert.ok((metrics.otcpupq as number) < 0);
  const sum = SPLIT.reduce((total, name) => total + (metrics[name] as number), 0);
  assert.ok(Math.abs(sum - (metrics.cpupq as number)) < 1e-6);
});

test('averages of the machine are over the time between its readings, not the step', () => {
  const osAfter = { ...AFTER, atS: BEFORE.atS + 2 * SECONDS };
  const metrics = stepMetrics('l.i0', 'load', { ...LOAD, osAfter });
  assert.equal(metrics.ips, 270_270);
  assert.equal(metrics.csps, 13_582);
  assert.equal(metrics.fgcpupq_insert, (400 / (2 * 27_027_000)) * 1e6);
});

test('without /proc the columns of the machine are absent and the others are not', () => {
  const blind = stepMetrics('qr100', 'read-write', {
    ...READ_WRITE,
    osBefore: null,
    osAfter: null,
    cpuSplit: null,
    sizes: { databaseBytes: 5 * GB, dataDirectoryBytes: null, residentBytes: null },
    wal: { walBytes: null, fullPageImages: null },
    server: null,
  });
  const absent = Object.entries(blind).flatMap(([name, value]) => (value === null ? [name] : []));
  assert.deepEqual(absent.sort(), [...MACHINE_COLUMNS, 'dbgb2', 'rss', ...WAL_COLUMNS].sort());
  assert.deepEqual([blind.qps, blind.ips, blind.dbgb1, blind.sla_ok], [80, 399, 5, true]);
});

test('CPU that was not split up leaves cpupq whole', () => {
  const metrics = stepMetrics('l.i0', 'load', { ...LOAD, cpuSplit: null });
  assert.equal(fixed(metrics.cpupq, 0), '21');
  assert.deepEqual(
    SPLIT.map((name) => metrics[name]),
    [null, null, null, null],
  );
});

test('l.x reports rows indexed per second and has no operations', () => {
  const metrics = stepMetrics('l.x', 'index', {
    ...LOAD,
    rowsIndexed: 80_000_000,
    workers: [],
    perSecond: Array.from({ length: 20 }, () => 0),
    cpuSplit: { ...LOAD.cpuSplit!, insertBackends: 0, maintenanceBackend: 320 },
  });
  assert.equal(metrics.ips, 800_000);
  assert.equal(metrics.cspq, 27_164 / 800_000);
  assert.equal(metrics.wpi, 506.9 / 800_000);
  assert.equal(metrics.fgcpupq, 4);
  assert.equal(metrics.rows_inserted, 0);
  const { qps, dps, maxop, p50, p99, fgcpupq_insert } = metrics;
  assert.deepEqual([qps, dps, maxop, p50, p99, fgcpupq_insert], Array(6).fill(null));
});

test('settle has no throughput, but the machine was measured', () => {
  const metrics = stepMetrics('settle', 'settle', { ...LOAD, workers: [], perSecond: [] });
  const { ips, dps, qps, cpupq, fgcpupq, otcpupq, wpi, rpq, maxop, p50 } = metrics;
  assert.deepEqual(
    [ips, dps, qps, cpupq, fgcpupq, otcpupq, wpi, rpq, maxop, p50],
    Array(10).fill(null),
  );
  assert.deepEqual([metrics.wal_bytes_per_insert, metrics.fsyncs_per_insert], [null, null]);
  assert.deepEqual([metrics.csps, metrics.wps, metrics.fsyncs_per_s], [27_164, 506.9, 20]);
  assert.equal(fixed(metrics.cpups, 1), '70.7');
});

test('queries that all stalled are a rate of zero without per-operation values', () => {
  const metrics = stepMetrics('qp100', 'read-write', {
    ...READ_WRITE,
    workers: [worker('insert', 10, [service(5)]), worker('query', 0, [service(0)], 0)],
  });
  assert.equal(metrics.qps, 0);
  assert.deepEqual(
    [metrics.cpupq, metrics.cspq, metrics.rows_per_query, metrics.maxop],
    [null, null, null, null],
  );
});

const MACHINE_COLUMNS = [
  'rps',
  'rmbps',
  'wps',
  'wmbps',
  'rpq',
  'rkbpq',
  'wpi',
  'wkbpi',
  'csps',
  'cpups',
  'cspq',
  'cpupq',
  'fgcpupq',
  'fgcpupq_insert',
  'fgcpupq_delete',
  'fgcpupq_query',
  'bgcpupq',
  'clcpupq',
  'otcpupq',
  'fsyncs_per_s',
  'fsyncs_per_insert',
  'r_await',
  'w_await',
  'f_await',
  'iowait_pct',
  'steal_pct',
];
const WAL_COLUMNS = ['wal_bytes_per_insert', 'full_page_images_per_insert'];

function fixed(value: number | null, decimals: number): string | undefined {
  return value?.toFixed(decimals);
}

function service(maxUs: number): TimesResult {
  const count = maxUs === 0 ? 0 : 1;
  return { clock: 'service', count, maxUs, sumUs: maxUs, decimal: [], buckets: [] };
}

function response(maxUs: number): TimesResult {
  return { ...service(maxUs), clock: 'response' };
}

function worker(
  role: Role,
  rows: number,
  times: readonly TimesResult[],
  operations: number = rows / 50,
): WorkerResult {
  return {
    client: 1,
    role,
    pid: 4711,
    backendPid: role === 'pace' ? null : 4712,
    finishedS: SECONDS,
    operations,
    rows,
    retries: 0,
    errors: 0,
    cpu: { user: 1, system: 1 },
    backendCpu: null,
    waitServerS: 0,
    generateS: 0,
    waitQueueS: 0,
    resync: null,
    times,
  };
}
