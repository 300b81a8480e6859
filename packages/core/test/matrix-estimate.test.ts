import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { estimateSpace } from '../src/matrix/estimate-space.ts';
import { estimateTime, type PastRun, totalSeconds } from '../src/matrix/estimate-time.ts';
import { parseWorkload } from '../src/workload/workload.ts';

const GB = 1024 ** 3;

describe('the estimate of disk space', () => {
  it('agrees with published sizes of 20 million rows', () => {
    // seed003_metrics.csv of the golden cases: dbgb1 is 1.9 after l.i0 and 3.7 after l.x.
    const size = (secondary_indexes: number) =>
      estimateSpace(parseWorkload({ rows: 20_000_000, secondary_indexes }, 'test'), 0).loadedBytes;
    assert.ok(Math.abs(size(0) / GB - 1.9) <= 0.06, `${size(0) / GB}`);
    assert.ok(Math.abs(size(3) / GB - 3.7) <= 0.1, `${size(3) / GB}`);
    // The same report inserted as many rows again without deletes: 7.6 after l.i1.
    const grown = parseWorkload(
      {
        rows: 20_000_000,
        l_i1_rows: 20_000_000,
        l_i2_rows: 5,
        deletes: false,
        read_write_seconds: 1,
      },
      'test',
    );
    const peak = estimateSpace(grown, 0).peakBytes / GB;
    assert.ok(peak > 7.6 && peak < 7.6 * 1.35, `${peak}`);
  });

  it('grows with clients, rows, index, length of data and WAL', () => {
    const peak = (parameters: object, wal = GB) =>
      estimateSpace(parseWorkload(parameters, 'test'), wal).peakBytes;
    const base = peak({});
    assert.ok(peak({ clients: 4 }) > 3 * (base - 2 * GB));
    assert.ok(peak({ rows: 1_000_000 }) > base);
    assert.ok(peak({ l_i1_rows: 1_000_000 }) > base);
    assert.ok(peak({ read_write_seconds: 3600 }) > base);
    assert.ok(peak({ secondary_indexes: 2 }) < base);
    assert.ok(peak({ data_length_max: 200 }) > base);
    assert.ok(Math.abs(peak({}, 5 * GB) - base - 4.4 * GB) < 10);
  });
});

const WORKLOAD = {
  clients: 2,
  rows: 100_000,
  l_i1_rows: 50_000,
  l_i2_rows: 1000,
  settle_seconds: 3,
  read_write_seconds: 10,
};

function past(changes: Partial<PastRun>, slower = 1): PastRun {
  const steps = [
    { step: 'l.i0', seconds: 10 * slower, rows: 400_000 },
    { step: 'l.x', seconds: 4 * slower, rows: 400_000 },
    { step: 'l.i1', seconds: 20 * slower, rows: 200_000 },
    { step: 'l.i2', seconds: 5 * slower, rows: 10_000 },
    { step: 'settle', seconds: 3, rows: 0 },
    ...['qr100', 'qp100', 'qr500', 'qp500', 'qr1000', 'qp1000'].map((step) => ({
      step,
      seconds: 10,
      rows: 1000,
    })),
  ];
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 8);
  const names = { build: 'pg18.4', config: 'base', workload: 'w', parameters: {} };
  return { ...names, clients: 2, cpus: 4, seconds, steps, ...changes };
}

describe('the estimate of time', () => {
  const run = {
    build: 'pg18.4',
    config: 'base',
    workload: 'w',
    parameters: parseWorkload(WORKLOAD, 'test'),
  };

  it('is the median of the same cell, whatever others took', () => {
    const runs = [past({}, 1), past({}, 2), past({}, 9), past({ build: 'pg12.22' }, 100)];
    const estimate = estimateTime(run, runs, 4);
    assert.equal(estimate.origin, 'same cell');
    assert.equal(estimate.runs, 3);
    assert.equal(totalSeconds(estimate), 20 + 8 + 40 + 10 + 3 + 60 + 8);
  });

  it('is that of the same workload where the cell is new', () => {
    const runs = [past({ build: 'pg12.22' }), past({ config: 'a1' }), past({ workload: 'v' }, 50)];
    const estimate = estimateTime(run, runs, 4);
    assert.deepEqual([estimate.origin, estimate.runs], ['same workload', 2]);
    assert.equal(totalSeconds(estimate), 110);
  });

  it('scales rows by the rates of other workloads', () => {
    const estimate = estimateTime(run, [past({ workload: 'v' })], 4);
    assert.equal(estimate.origin, 'earlier rates');
    const seconds = Object.fromEntries(estimate.steps);
    // 20,000 rows/s and CPU in l.i0, 50,000 in l.x, 2,500 in l.i1, 500 in l.i2: as many clients, as many CPUs.
    assert.deepEqual(
      ['l.i0', 'l.x', 'l.i1', 'l.i2', 'settle', 'qr100'].map((step) => seconds[step]),
      [5, 2, 10, 1, 3, 10],
    );
    assert.equal(totalSeconds(estimate), 5 + 2 + 10 + 1 + 3 + 60 + 8);
  });

  describe('has a share for every row of every client, and no more CPUs than there are', () => {
    const steps = [
      { step: 'l.i0', seconds: 1, rows: 100_000 },
      { step: 'l.x', seconds: 0.5, rows: 100_000 },
      { step: 'l.i1', seconds: 4, rows: 50_000 },
      { step: 'l.i2', seconds: 1, rows: 1000 },
    ];
    const one = past({ workload: 'one', clients: 1, cpus: 2, steps });
    const loads = (changes: object, from: PastRun, cpus: number) => {
      const parameters = parseWorkload({ ...WORKLOAD, ...changes }, 'test');
      const estimate = estimateTime({ ...run, parameters }, [from], cpus);
      assert.equal(estimate.origin, 'earlier rates');
      return ['l.i0', 'l.x', 'l.i1', 'l.i2'].map((step) => estimate.steps.get(step));
    };

    it('of eight clients where one was measured, and the other way round', () => {
      assert.deepEqual(loads({ clients: 1 }, one, 2), [1, 0.5, 4, 1]);
      // Inserter and deleter kept both CPUs busy with one client already.
      assert.deepEqual(loads({ clients: 8 }, one, 2), [4, 2, 32, 8]);
      assert.deepEqual(loads({ clients: 8 }, one, 16), [1, 0.5, 4, 1]);
      const rows = steps.map((step) => ({ ...step, rows: 8 * step.rows }));
      const eight = past({ workload: 'eight', clients: 8, cpus: 2, steps: rows });
      assert.deepEqual(loads({ clients: 1 }, eight, 2), [0.25, 0.125, 0.5, 0.125]);
    });

    it('of clients that share a table, or do not delete', () => {
      const shared = { clients: 8, tables: 'shared', deletes: false };
      assert.deepEqual(loads(shared, one, 2), [0.5, 0.5, 4, 1]);
      const inserts = past({ ...one, parameters: { deletes: 'false', tables: 'shared' } });
      assert.deepEqual(loads(shared, inserts, 2), [0.5, 0.5, 2, 0.5]);
    });

    it('of a host whose CPUs are not known', () => {
      assert.deepEqual(loads({ clients: 8 }, { ...one, cpus: null }, 4), [2, 1, 16, 4]);
    });
  });

  it('knows a workload by its parameters too, whatever the seed', () => {
    const like = past({ parameters: { rows: 100_000, deletes: 'true', seed: 7 } });
    assert.equal(estimateTime(run, [like], 4).origin, 'same cell');
    const other = past({ parameters: { rows: 200_000, deletes: 'true', seed: 1 } });
    assert.equal(estimateTime(run, [other], 4).origin, 'earlier rates');
  });

  it('says so when it is a guess', () => {
    const estimate = estimateTime(run, [], 4);
    assert.deepEqual([estimate.origin, estimate.runs], ['assumed rates', 0]);
    assert.ok(totalSeconds(estimate) > 63);
  });

  it('knows the steps that earlier runs inherited from others', () => {
    const whole = past({});
    const steps = whole.steps.filter(({ step }) => step !== 'l.i0' && step !== 'l.x');
    const inherited = { ...whole, steps, seconds: whole.seconds - 14 };
    assert.equal(totalSeconds(estimateTime(run, [whole, inherited], 4)), 110);
    // Where no run of the workload did them, the rates of others tell.
    assert.equal(totalSeconds(estimateTime(run, [inherited, past({ workload: 'v' })], 4)), 103);
  });

  it('leaves inherited steps out', () => {
    const estimate = estimateTime(run, [past({})], 4);
    assert.equal(totalSeconds(estimate) - totalSeconds(estimate, 'l.x'), 14);
    assert.equal(totalSeconds(estimate) - totalSeconds(estimate, 'l.i2'), 39);
  });
});
