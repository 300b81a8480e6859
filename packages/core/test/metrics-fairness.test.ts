import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientRates, fairness } from '../src/metrics/fairness.ts';
import { worker } from './metrics-worker.ts';

/** 3000 rows each: 1000/s for 3 s, 750/s for 4 s, 600/s for 5 s. */
const THREE = [
  worker({ client: 2, finishedS: 4, operations: 60, rows: 3000 }),
  worker({ client: 3, finishedS: 5, operations: 60, rows: 3000 }),
  worker({ client: 1, finishedS: 3, operations: 60, rows: 3000 }),
];
const PER_SECOND = [2350, 2350, 2350, 1350, 600];

function fairnessOf(workers = THREE, perSecond: readonly number[] = PER_SECOND) {
  return fairness('l.i0', { workers, perSecond, seconds: 5 });
}

test('in l.* a client has a rate of rows inserted until it finished, by client number', () => {
  assert.deepEqual(clientRates('l.i0', THREE), [
    { client: 1, finishedS: 3, rate: 1000 },
    { client: 2, finishedS: 4, rate: 750 },
    { client: 3, finishedS: 5, rate: 600 },
  ]);
});

test('deletes count neither as rows nor as an end', () => {
  const deleter = worker({ role: 'delete', finishedS: 9, operations: 60, rows: 3000 });
  const pacer = worker({ role: 'pace', finishedS: 9, rows: 3000 });
  assert.deepEqual(clientRates('l.i1', [...THREE, deleter, pacer]), clientRates('l.i0', THREE));
});

test('in q* a client has a rate of queries: those of all its queriers, until the last has ended', () => {
  const workers = [
    worker({ role: 'insert', finishedS: 10, operations: 20, rows: 1000 }),
    worker({ role: 'query', finishedS: 10, operations: 4000, rows: 40_000 }),
    worker({ role: 'query', finishedS: 12.5, operations: 6000, rows: 60_000 }),
  ];
  assert.deepEqual(clientRates('qr100', workers), [{ client: 1, finishedS: 12.5, rate: 800 }]);
});

test('the ratio is the smallest rate of a client over the largest', () => {
  assert.equal(fairnessOf().client_rate_ratio, 0.6);
});

test('a client that did nothing makes the ratio zero; if none did anything there is no ratio', () => {
  const idle = worker({ client: 4, finishedS: 5 });
  assert.equal(fairnessOf([...THREE, idle]).client_rate_ratio, 0);
  assert.equal(fairnessOf([idle]).client_rate_ratio, null);
});

test('the rate while all were active is that of the seconds before the first client finished', () => {
  assert.equal(fairnessOf().all_active_rate, 2350);
  assert.notEqual(fairnessOf().all_active_rate, 9000 / 5);
});

test('the part of a second before the first client finished is left out', () => {
  const workers = [
    worker({ client: 1, finishedS: 2.9, rows: 3000 }),
    worker({ client: 2, finishedS: 5, rows: 5000 }),
  ];
  assert.equal(fairnessOf(workers, [1900, 2000, 1950, 1000, 1150]).all_active_rate, 1950);
});

test('without a whole second in which all were active there is no such rate', () => {
  const workers = [
    worker({ client: 1, finishedS: 0.9, rows: 3000 }),
    worker({ client: 2, finishedS: 5, rows: 5000 }),
  ];
  assert.deepEqual(fairnessOf(workers), {
    client_rate_ratio: 1000 / (3000 / 0.9),
    all_active_rate: null,
  });
});

test('seconds that were not recorded are not taken for seconds without rows', () => {
  assert.equal(fairnessOf(THREE, PER_SECOND.slice(0, 2)).all_active_rate, null);
});

test('a single client is active alone: its own rate, however short, and a ratio of 1', () => {
  const workers = [worker({ finishedS: 0.5, rows: 3000 })];
  assert.deepEqual(fairnessOf(workers, []), { client_rate_ratio: 1, all_active_rate: 6000 });
});

test('in q* all clients are active for the whole step, also if a last query ends late', () => {
  const workers = [
    worker({ client: 1, role: 'query', finishedS: 10, operations: 4000 }),
    worker({ client: 2, role: 'query', finishedS: 12.5, operations: 3000 }),
    worker({ client: 2, role: 'insert', finishedS: 10, rows: 1000 }),
  ];
  assert.deepEqual(fairness('qr100', { workers, perSecond: [], seconds: 12.5 }), {
    client_rate_ratio: 240 / 400,
    all_active_rate: 560,
  });
});

test('steps without clients have no rates', () => {
  assert.deepEqual(clientRates('l.x', []), []);
  for (const step of ['l.x', 'settle', 'qr100']) {
    assert.deepEqual(fairness(step, { workers: [], perSecond: [5, 5], seconds: 2 }), {
      client_rate_ratio: null,
      all_active_rate: null,
    });
  }
});
