import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WaitCount } from '@ibench/core';
import {
  addServerSecond,
  createRun,
  failStep,
  finishStep,
  loadRuns,
  loadSeries,
  startStep,
} from '../src/index.ts';
import {
  AT,
  finished,
  LATER,
  metrics,
  newRun,
  serverResult,
  stepResult,
  temporaryStore,
} from './sample.ts';

/** Processes of the server's own that are at work, by second. */
const BACKGROUND: Readonly<Record<number, WaitCount[]>> = {
  2: [
    { role: 'checkpointer', waitType: 'Timeout', waitEvent: 'CheckpointWriteDelay', sessions: 1 },
  ],
  3: [
    { role: 'checkpointer', waitType: 'IO', waitEvent: 'DataFileSync', sessions: 1 },
    { role: 'checkpointer', waitType: 'CPU', waitEvent: 'CPU', sessions: 1 },
    { role: 'autovacuum worker', waitType: 'Timeout', waitEvent: 'VacuumDelay', sessions: 2 },
  ],
};

const WAIT = { role: 'delete', waitType: 'IO', waitEvent: 'WalSync' };

test('what the server told of a step is read back as it was, and per second and operation by SQL', (t) => {
  const store = temporaryStore(t);
  const step = startStep(store, createRun(store, newRun()), {
    seq: 1,
    step: 'l.i1',
    kind: 'write',
    startedAt: AT,
  });
  const measured = metrics({ qps: null, rows_inserted: 500, seconds: 12.5 });
  finishStep(store, step, finished({ metrics: measured }));
  const { changes: _, ...told } = serverResult();
  assert.deepEqual(loadRuns(store)[0]?.steps[0]?.server, { ...told, activity: [] });
  assert.deepEqual(
    store.db
      .prepare('SELECT name, delta, per_s, per_op FROM server_statistics ORDER BY name')
      .all(),
    [
      { name: 'reset', delta: null, per_s: null, per_op: null },
      { name: 'wal_records', delta: 250, per_s: 20, per_op: 0.5 },
    ],
  );
  assert.deepEqual(store.db.prepare('SELECT cpu FROM sampling_costs').pluck().all(), [0.01 / 12.5]);
});

test('samples of one second add up, and sessions are averaged over all samples of the step', (t) => {
  const store = temporaryStore(t);
  const step = startStep(store, createRun(store, newRun()), {
    seq: 1,
    step: 'l.i1',
    kind: 'write',
    startedAt: AT,
  });
  const series = [{ name: 'cpu_s', object: 'delete', value: 0.25 }];
  const seen = { second: 1, samples: 1, coveredS: 0.5, waits: [{ ...WAIT, sessions: 2 }], series };
  addServerSecond(store, step, seen);
  addServerSecond(store, step, { ...seen, waits: [{ ...WAIT, sessions: 1 }] });
  addServerSecond(store, step, { ...seen, second: 2, coveredS: 1, waits: [] });
  addServerSecond(store, step, {
    ...seen,
    second: 3,
    coveredS: 1,
    waits: [{ role: 'insert', waitType: 'CPU', waitEvent: 'CPU', sessions: 1 }],
    series: [],
  });
  finishStep(store, step, finished());
  assert.deepEqual(loadRuns(store)[0]?.steps[0]?.server?.activity, [
    {
      role: 'delete',
      active: 0.75,
      events: [{ waitType: 'IO', waitEvent: 'WalSync', active: 0.75 }],
      cpu: 0.25,
    },
    {
      role: 'insert',
      active: 0.25,
      events: [{ waitType: 'CPU', waitEvent: 'CPU', active: 0.25 }],
      cpu: null,
    },
  ]);
  assert.deepEqual(loadSeries(store, 'r1', 'l.i1').waits, {
    seconds: [1, 2, 3],
    active: new Map([
      ['IO', [1.5, 0, 0]],
      ['CPU', [0, 0, 1]],
    ]),
  });
});

test('a step that failed keeps its samples and has no figures', (t) => {
  const store = temporaryStore(t);
  const step = startStep(store, createRun(store, newRun()), {
    seq: 1,
    step: 'l.i1',
    kind: 'write',
    startedAt: AT,
  });
  const waits = [{ ...WAIT, sessions: 1 }];
  addServerSecond(store, step, { second: 1, samples: 1, coveredS: 1, waits, series: [] });
  failStep(store, step, {
    status: 'failed',
    message: 'x',
    finishedAt: LATER,
    result: stepResult(),
  });
  assert.equal(loadRuns(store)[0]?.steps[0]?.server, null);
  const count = (view: string) => store.db.prepare(`SELECT count(*) FROM ${view}`).pluck().get();
  assert.equal(count('waits'), 1);
  assert.equal(count('server_activity'), 0);
  assert.equal(count('debt'), 0);
});

test('planning, queries for the smallest id and CPU come back by second, gaps between ticks as zero; when the server was at work, too', (t) => {
  const store = temporaryStore(t);
  const run = newRun();
  const step = startStep(store, createRun(store, run), {
    seq: 1,
    step: 'l.i1',
    kind: 'write',
    startedAt: AT,
  });
  const seen = (second: number, coveredS: number, series: readonly [string, string, number][]) =>
    addServerSecond(store, step, {
      second,
      samples: 1,
      coveredS,
      waits: BACKGROUND[second] ?? [],
      series: series.map(([name, object, value]) => ({ name, object, value })),
    });
  seen(1, 0.5, [
    ['cpu_s', 'delete', 0.25],
    ['getmin_count', 'pi1', 3],
    ['getmin_us', 'pi1', 6000],
    ['getmin_count', 'pi2', 1],
    ['getmin_us', 'pi2', 2000],
  ]);
  seen(2, 1, [
    ['cpu_s', 'insert', 0.75],
    ['delete_planning_ms', 'pi1', 2],
    ['delete_planning_ms', 'pi2', 4],
    ['getmin_count', 'pi1', 0],
    ['getmin_us', 'pi1', 0],
    ['checkpoint_done', '', 1],
    ['autovacuums_done', '', 2],
  ]);
  seen(3, 0, [['cpu_s', 'insert', 0.1]]);
  seen(4, 1, []);
  assert.deepEqual(loadSeries(store, run.runId, 'l.i1').server, {
    planning: { seconds: [2], ms: [3] },
    resync: { seconds: [1], ms: [2] },
    checkpointing: [2, 3],
    vacuuming: [3],
    checkpointed: [2],
    vacuumed: [2],
    cpu: {
      seconds: [1, 2, 4],
      values: new Map([
        ['delete', [0.5, 0, 0]],
        ['insert', [0, 0.75, 0]],
      ]),
    },
  });
  const none = loadSeries(store, run.runId, 'l.i2').server;
  assert.deepEqual([none.planning.ms, none.resync.ms, none.cpu.seconds], [[], [], []]);
});
