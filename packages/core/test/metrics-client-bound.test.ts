import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientBound, isClientBound } from '../src/metrics/client-bound.ts';
import { worker } from './metrics-worker.ts';

const PACER = worker({ role: 'pace', backendPid: null });

test('an inserter that waits 82 of 100 s for the server is not client-bound, one with 60 is', () => {
  const step = (waitServerS: number) => clientBound('l.i0', [PACER, worker({ waitServerS })]);
  assert.deepEqual(step(82), { server_wait_share: 0.82, client_bound: false });
  assert.deepEqual(step(60), { server_wait_share: 0.6, client_bound: true });
});

test('exactly 70% is not under 70%', () => {
  assert.deepEqual([isClientBound(0.7), isClientBound(0.6999)], [false, true]);
  const step = clientBound('l.i0', [worker({ finishedS: 10, waitServerS: 7 })]);
  assert.equal(step.client_bound, false);
});

test('a share is of the time until the worker finished, not of the step', () => {
  const workers = [
    worker({ client: 1, finishedS: 40, waitServerS: 38 }),
    worker({ client: 2, finishedS: 100, waitServerS: 98 }),
  ];
  assert.equal(clientBound('l.i0', workers).server_wait_share, 0.95);
});

test('the writer that waits less for the queue limits: here the deleter, whatever the inserter shows', () => {
  const inserter = worker({ waitServerS: 30, generateS: 5, waitQueueS: 60 });
  const deleter = worker({ role: 'delete', waitServerS: 95, waitQueueS: 2 });
  const expected = { server_wait_share: 0.95, client_bound: false };
  assert.deepEqual(clientBound('l.i1', [PACER, inserter, deleter]), expected);
  assert.deepEqual(clientBound('l.i1', [deleter, inserter]), expected);
});

test('waiting for the queue is compared as a share, so a writer that finished early is not taken for busy', () => {
  const early = worker({ finishedS: 10, waitServerS: 4, waitQueueS: 5 });
  const late = worker({ role: 'delete', finishedS: 100, waitServerS: 90, waitQueueS: 8 });
  assert.equal(clientBound('l.i1', [early, late]).server_wait_share, 0.9);
});

test('of writers that wait equally for the queue the one that waits less for the server counts', () => {
  const inserter = worker({ waitServerS: 55, generateS: 40, waitQueueS: 5 });
  const deleter = worker({ role: 'delete', waitServerS: 90, waitQueueS: 5 });
  assert.equal(clientBound('l.i1', [inserter, deleter]).server_wait_share, 0.55);
});

test('the limiting worker is chosen for each client, and the worst of the clients decides', () => {
  const workers = [
    worker({ client: 1, waitServerS: 93, waitQueueS: 3 }),
    worker({ client: 1, role: 'delete', waitServerS: 40, waitQueueS: 58 }),
    worker({ client: 2, waitServerS: 45, waitQueueS: 50 }),
    worker({ client: 2, role: 'delete', waitServerS: 65, waitQueueS: 30 }),
  ];
  assert.deepEqual(clientBound('l.i2', workers), { server_wait_share: 0.65, client_bound: true });
});

test('in query steps queriers decide, all of them, and the background writers do not', () => {
  const workers = [
    worker({ role: 'insert', waitServerS: 10, waitQueueS: 0 }),
    worker({ role: 'delete', waitServerS: 10, waitQueueS: 90 }),
    worker({ role: 'query', waitServerS: 92, generateS: 5 }),
    worker({ role: 'query', waitServerS: 88, generateS: 6 }),
    worker({ client: 2, role: 'query', waitServerS: 90, generateS: 6 }),
  ];
  assert.deepEqual(clientBound('qr500', workers), { server_wait_share: 0.88, client_bound: false });
});

test('a step without such workers has no verdict', () => {
  const none = { server_wait_share: null, client_bound: null };
  assert.deepEqual(clientBound('l.x', []), none);
  assert.deepEqual(clientBound('settle', []), none);
  assert.deepEqual(clientBound('l.i0', [PACER]), none);
  assert.deepEqual(clientBound('qp100', [worker({ waitServerS: 90 })]), none);
});

test('a worker whose end is not known has no share, rather than one of zero', () => {
  const broken = worker({ client: 2, finishedS: 0, waitServerS: 3 });
  assert.equal(clientBound('l.i0', [broken]).client_bound, null);
  const whole = worker({ client: 1, waitServerS: 90 });
  assert.equal(clientBound('l.i0', [broken, whole]).server_wait_share, 0.9);
});
