import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type {
  ClientRate,
  Clock,
  RunRecord,
  StatementKind,
  StepMetrics,
  StepRecord,
  TimesSummary,
} from '@ibench/core';
import { DECIMAL_NAMES } from '@ibench/core';
import type { Cell, Table } from '../src/index.ts';

/** Compares a rendering with a golden file, which only UPDATE_GOLDEN=1 rewrites. */
export function assertGolden(actual: string, name: string): void {
  const file = fixture(name);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, actual);
  assert.equal(actual, readFileSync(file, 'utf8'));
}

/** Records of a CSV fixture without quoting, by column name. */
export function readCsv(name: string): Record<string, string>[] {
  const [header, ...lines] = readFileSync(fixture(name), 'utf8').trim().split('\n');
  const keys = header!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((v, i) => [keys[i]!, v])));
}

function fixture(name: string): URL {
  return new URL(`../../test/fixtures/${name}`, import.meta.url);
}

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
    metrics: { ...NOTHING_MEASURED, ...metrics },
    times: [],
    clients: [],
    server: null,
    sla: [],
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

/** Clients from 1, each by its end and rate. */
export function clients(...ends: (readonly [finishedS: number, rate: number])[]): ClientRate[] {
  return ends.map(([finishedS, rate], i) => ({ client: i + 1, finishedS, rate }));
}

function times(
  [kind, clock]: readonly [StatementKind, Clock],
  decimal: readonly number[],
  [p50, p99, p999, p9999, maxUs]: readonly [number, number, number, number, number],
): TimesSummary {
  const count = decimal.reduce((sum, n) => sum + n, 0);
  const percentiles = { p50, p90: p50, p95: p99, p99, 'p99.9': p999, 'p99.99': p9999 };
  return { kind, clock, count, maxUs, decimal, percentiles };
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

/** The published runs of seed003: their metrics, SLA targets and histograms as run records. */
export function seed003Runs(): RunRecord[] {
  const rows = readCsv('seed003_metrics.csv');
  const tags = [...new Set(rows.map((row) => row.tag!))];
  return tags.map((tag) =>
    run(
      tag,
      rows.filter((row) => row.tag === tag).map((row) => publishedStep(row)),
    ),
  );
}

function publishedStep(row: Record<string, string>): StepRecord {
  const { step: name, tag, rate_basis: _, ncores: __, seed_line: ___, ...columns } = row;
  const metrics = Object.fromEntries(
    Object.entries(columns).map(([key, text]) => [key, text === 'NA' ? null : Number(text)]),
  );
  const dbms = tag!.replace('20m.', '');
  const sla = readCsv('seed003_sla.csv').find((r) => r.dbms === dbms && r.step === name);
  const targetIps = sla === undefined ? null : Number(sla.target_ips);
  return step(
    name!,
    { ...metrics, target_ips: targetIps },
    {
      times: readCsv('seed003_histograms.csv')
        .filter((r) => r.dbms === dbms && r.step === name)
        .map((r) => publishedTimes(r)),
    },
  );
}

/** Counts that print as the published percentages; what rounding lost is spread over the buckets. */
function publishedTimes(row: Record<string, string>): TimesSummary {
  const cells = DECIMAL_NAMES.map((name) => row[name]!);
  const percents = cells.map((cell) => (cell === 'nonzero' ? 0 : Number(cell)));
  const filled = cells.filter((cell) => cell !== '0.000').length;
  const lost = (100 - percents.reduce((sum, percent) => sum + percent, 0)) / filled;
  const decimal = cells.map((cell, i) =>
    cell === '0.000' ? 0 : Math.max(1, Math.round((percents[i]! + lost) * 1e6)),
  );
  const maxUs = Number(row.max) * 1e6;
  const kind = row.kind as StatementKind;
  return times([kind, 'service'], decimal, [maxUs, maxUs, maxUs, maxUs, maxUs]);
}

/**
 * Runs with everything a report can show: three repeats of the base (one failed in qp1000), a faster build
 * that missed the SLA and outran its client in l.i0, a slower one whose host has no /proc, and one of four
 * clients that broke in l.i1.
 */
export function variedRuns(): RunRecord[] {
  const steps = (speed: number): StepRecord[] => [
    step(
      'l.i0',
      { ...LOAD, ips: 270270.3 * speed, seconds: 111.2 / speed, ...serverWait(0.85 / speed) },
      { times: INSERT_TIMES },
    ),
    step('l.x', { ...OS, ips: 873913 * speed, seconds: 34.3 / speed }),
    step(
      'l.i1',
      { ...LOAD, ips: 70175.4 * speed, dps: 70175.4 * speed, fgcpupq_delete: 21.25 },
      {
        times: [...INSERT_TIMES, ...DELETE_TIMES],
        warnings: ['vmstat and exact CPU differ by 7%'],
      },
    ),
    step('settle', { ...OS, seconds: 90 }),
    queryStep('qr100', 47035 * speed, 399.7),
    queryStep('qp1000', 30123.4 * speed, speed > 1 ? 3700 : 3989.2),
  ];
  const base = steps(1);
  return [
    run('pg152.cx7', base),
    run('pg152.cx7', steps(0.98), { runId: 'pg152.cx7-2', repeat: 2 }),
    run('pg152.cx7', [...steps(1.04).slice(0, 5), brokenStep('qp1000', 'interrupted', 'Ctrl-C')], {
      runId: 'pg152.cx7-3',
      repeat: 3,
      status: 'interrupted',
    }),
    run('pg16beta.cx7', steps(1.25)),
    run('pg17slow.cx7', [
      step('l.i0', { ips: 130000, seconds: 231 }),
      step('l.x', { ips: 804000, seconds: 37 }),
      step('l.i1', { ips: 69000, dps: 69000, seconds: 580 }),
      queryStep('qr100', 20000, 399.8),
      queryStep('qp1000', 29000, 3990),
    ]),
    run(
      'pg18.cx7',
      [
        step(
          'l.i0',
          { ...LOAD, ips: 260000, client_rate_ratio: 64935 / 69284, all_active_rate: 268012.4 },
          {
            times: INSERT_TIMES,
            clients: clients([108.25, 69284], [115.5, 64935], [111, 67567.5], [110.4, 67934.7]),
          },
        ),
        brokenStep(
          'l.i1',
          'failed',
          'client 1, insert: 53100 could not extend file\nNo space left on device',
        ),
      ],
      { clients: 4, status: 'failed', message: 'step l.i1 failed' },
    ),
  ];
}

function serverWait(share: number): Partial<StepMetrics> {
  return { server_wait_share: share, client_bound: share < 0.7 };
}

const OS: Partial<StepMetrics> = {
  rps: 116.04,
  rmbps: 0.71,
  wps: 54813.24,
  wmbps: 1010.92,
  csps: 25585.3,
  cpups: 65.74,
  dbgb1: 7.62,
  dbgb2: 23.91,
  rss: 1.04,
  iowait_pct: 3.14,
  steal_pct: 0,
  r_await: 0.21,
  w_await: 0.45,
  f_await: 1.25,
  fsyncs_per_s: 812.4,
};

const LOAD: Partial<StepMetrics> = {
  ...OS,
  rpq: 0.00165,
  rkbpq: 0.0104,
  wpi: 0.78109,
  wkbpi: 14.7512,
  cspq: 0.36459,
  cpupq: 74.94,
  maxop: 0.07541,
  p50: 71830,
  p99: 56430,
  fgcpupq: 61.5,
  fgcpupq_insert: 40.25,
  bgcpupq: 6.1,
  clcpupq: 5.3,
  otcpupq: 2.04,
  fsyncs_per_insert: 0.0116,
  wal_bytes_per_insert: 412.3,
  full_page_images_per_insert: 0.0123,
};

const INSERT_TIMES = [
  times(
    ['insert', 'service'],
    [0, 0, 989920, 8980, 1090, 10, 0, 0, 0, 0],
    [1310, 3970, 26100, 61000, 75410],
  ),
];

const DELETE_TIMES = [
  times(
    ['delete', 'service'],
    [0, 400, 991000, 8600, 0, 0, 0, 0, 0, 0],
    [1102, 3410, 8200, 12100, 13220],
  ),
];

function queryStep(name: string, qps: number, ips: number): StepRecord {
  const target = name.endsWith('1000') ? 4000 : 400;
  return step(
    name,
    {
      ...LOAD,
      qps,
      ips,
      dps: ips,
      target_ips: target,
      sla_ok: ips >= 0.95 * target,
      fgcpupq_query: 55.5,
      rows_per_query: 9.98,
      ...serverWait(0.961),
    },
    {
      times: [
        times(
          ['insert', 'service'],
          [0, 0, 97893, 2083, 24, 0, 0, 0, 0, 0],
          [1310, 3970, 12100, 18000, 22150],
        ),
        times(
          ['insert', 'response'],
          [0, 0, 95000, 4900, 90, 8, 2, 0, 0, 0],
          [1410, 5970, 42100, 381000, 1252000],
        ),
        ...DELETE_TIMES,
        times(
          ['query', 'service'],
          [99948000, 33000, 18000, 900, 3, 0, 0, 0, 0, 0],
          [87, 185, 640, 3210, 20310],
        ),
      ],
    },
  );
}

/** The table with this id, of this step where tables are per step; fails where there is none. */
export function findTable(tables: readonly Table[], id: string, step: string | null = null): Table {
  const found = tables.find((table) => table.id === id && table.step === step);
  assert.ok(found, `no table ${id} of ${step}`);
  return found;
}

/** The cell of the row with this tag in this column. */
export function findCell(table: Table, tag: string, key: string): Cell {
  const tagAt = table.columns.findIndex((column) => column.key === 'tag');
  const row = table.rows.find(({ cells }) => cells[tagAt]!.value === tag);
  assert.ok(row, `no row ${tag}`);
  return row.cells[table.columns.findIndex((column) => column.key === key)]!;
}
