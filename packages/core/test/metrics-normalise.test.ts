import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalise, type RateBasis, type StepRates } from '../src/metrics/index.ts';
import { goldenRows, meets, normalisedIntervals, printed, type Row } from './metrics-golden.ts';

const RATES = ['ips', 'qps', 'rps', 'rmbps', 'wps', 'wmbps', 'csps', 'cpups'] as const;
const PER_OPERATION = ['rpq', 'rkbpq', 'wpi', 'wkbpi', 'cspq', 'cpupq'] as const;

const MEASURED: StepRates = {
  ips: 400,
  qps: 8000,
  rps: 16,
  rmbps: 2,
  wps: 800,
  wmbps: 25,
  csps: 40000,
  cpups: 50,
  cpus: 8,
};

test('per-operation values divide by queries in query steps, writes always by inserts', () => {
  assert.deepEqual(normalise(MEASURED, 'qps'), {
    rpq: 0.002,
    rkbpq: 0.256,
    wpi: 2,
    wkbpi: 64,
    cspq: 5,
    cpupq: 500,
  });
});

test('per-operation values divide by inserts in load steps', () => {
  const { rpq, cspq, cpupq } = normalise(MEASURED, 'ips');
  assert.deepEqual({ rpq, cspq, cpupq }, { rpq: 0.04, cspq: 100, cpupq: 10000 });
});

test('what was not measured has no per-operation value, and neither has a step without operations', () => {
  const none = { rpq: null, rkbpq: null, wpi: null, wkbpi: null, cspq: null, cpupq: null };
  assert.deepEqual(normalise({ ...MEASURED, ips: 0, qps: 0 }, 'qps'), none);
  assert.deepEqual(normalise({ ...MEASURED, ips: null }, 'ips'), none);
  const blind = { rps: null, rmbps: null, wps: null, wmbps: null, csps: null, cpups: null };
  assert.deepEqual(normalise({ ...MEASURED, ...blind }, 'qps'), none);
  assert.equal(normalise({ ...MEASURED, cpus: null }, 'qps').cpupq, null);
});

for (const [file, rows] of [
  ['seed003_metrics.csv', 12],
  ['seed003_metrics_all_dbms_section.csv', 12],
  ['jan2021_osum.csv', 495],
] as const) {
  test(`all ${rows} rows of ${file} reproduce`, () => {
    let checked = 0;
    for (const row of goldenRows(file)) {
      const rates = Object.fromEntries(RATES.map((name) => [name, printed(row(name))]));
      const computed = normalisedIntervals(
        rates as Parameters<typeof normalisedIntervals>[0],
        Number(row('ncores')),
        row('rate_basis') as RateBasis,
      );
      for (const name of PER_OPERATION) {
        assertMeets(computed[name], row(name), `${row('tag')} ${row('step')} ${name}`);
        checked++;
      }
    }
    assert.equal(checked, rows * PER_OPERATION.length);
  });
}

test('all 17 rows of html_metrics_2020sep.csv, which prints kB/s, reproduce', () => {
  let checked = 0;
  for (const row of goldenRows('html_metrics_2020sep.csv')) {
    const computed = normalisedIntervals(
      {
        ips: printed(row('ips')),
        qps: printed(row('qps')),
        rps: printed(row('rps')),
        rmbps: kbAsMb(row('rkbps')),
        wps: printed('0'),
        wmbps: kbAsMb(row('wkbps')),
        csps: printed(row('csps')),
        cpups: printed(row('cpups')),
      },
      Number(row('ncores')),
      row('rate_basis') as RateBasis,
    );
    for (const name of ['rpq', 'rkbpq', 'wkbpi', 'cspq', 'cpupq'] as const) {
      assertMeets(computed[name], row(name), `${row('tag')} ${row('step')} ${name}`);
      checked++;
    }
  }
  assert.equal(checked, 17 * 5);
});

test('all 2732 rows of sysbench_met.csv reproduce', () => {
  let checked = 0;
  for (const row of goldenRows('sysbench_met.csv.gz')) {
    checked += checkSysbench(row, (name) => name);
  }
  assert.equal(checked, 2732 * 5);
});

for (const [file, rows] of [
  ['sysbench_feb25_raw.csv', 186],
  ['sysbench_mar25_raw.csv', 720],
] as const) {
  test(`the published per-operation values in all ${rows} rows of ${file} reproduce`, () => {
    let checked = 0;
    for (const row of goldenRows(file)) checked += checkSysbench(row, (name) => `pub_${name}`);
    assert.equal(checked, rows * 5);
  });
}

/** Sysbench reports print CPU as % per operation, unscaled: cpus / 100 × 1e6 = 1 undoes the scaling. */
const UNSCALED_CPUS = 100 / 1e6;

function checkSysbench(row: Row, column: (name: string) => string): number {
  const rate = (name: string) => printed(row(column(name)));
  const computed = normalisedIntervals(
    {
      ips: rate('o_s'),
      qps: rate('o_s'),
      rps: rate('r_s'),
      rmbps: rate('rMB_s'),
      wps: rate('w_s'),
      wmbps: rate('wMB_s'),
      csps: rate('cs_s'),
      cpups: rate('cpu_s'),
    },
    UNSCALED_CPUS,
    'qps',
  );
  const pairs = [
    ['rpq', 'r_o'],
    ['rkbpq', 'rKB_o'],
    ['wkbpi', 'wKB_o'],
    ['cspq', 'cs_o'],
    ['cpupq', 'cpu_o'],
  ] as const;
  for (const [name, published] of pairs) {
    assertMeets(computed[name], row(column(published)), `${row(column('o_s'))} o/s ${published}`);
  }
  return pairs.length;
}

function kbAsMb(text: string): { low: number; high: number } {
  const { low, high } = printed(text);
  return { low: low / 1024, high: high / 1024 };
}

function assertMeets(computed: { low: number; high: number }, text: string, what: string): void {
  const range = `${computed.low} … ${computed.high}`;
  assert.ok(meets(computed, printed(text)), `${what}: computed ${range}, published ${text}`);
}
