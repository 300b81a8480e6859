import type { RunRecord, StepMetrics, StepRecord } from '@ibench/core';
import { brokenStep, run, step } from '@ibench/core/testing';
import { clients, times } from './step-parts.ts';

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
