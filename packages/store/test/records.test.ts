import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  closeStore,
  createRun,
  failStep,
  finishRun,
  finishStep,
  loadRuns,
  openStore,
  saveRunAudits,
  startStep,
} from '../src/index.ts';
import {
  AT,
  audit,
  finished,
  LATER,
  metrics,
  newRun,
  serverResult,
  stepResult,
  temporaryPath,
  temporaryStore,
  timesSummary,
  worker,
} from './sample.ts';

test('a run is read back as it was written, from a file opened again', (t) => {
  const path = temporaryPath(t);
  const writer = openStore(path);
  const key = createRun(writer, newRun());
  const times = [
    timesSummary({ kind: 'query', clock: 'service' }),
    timesSummary({ kind: 'insert', clock: 'response', count: 0, maxUs: 0 }),
  ];
  const empty = metrics({ sla_ok: null, client_bound: null, target_ips: null, ips: null });
  const lost = metrics({ sla_ok: false, client_bound: false });
  const workers = [2, 1].map((client) => worker({ client, finishedS: 10 * client, rows: 500 }));
  const clients = [
    { client: 1, finishedS: 10, rate: 50 },
    { client: 2, finishedS: 20, rate: 25 },
  ];
  const second = startStep(writer, key, { seq: 2, step: 'l.x', kind: 'index', startedAt: AT });
  const first = startStep(writer, key, { seq: 1, step: 'l.i0', kind: 'load', startedAt: AT });
  finishStep(writer, first, finished({ metrics: empty, times, result: stepResult({ workers }) }));
  const audits = [audit('connections'), audit('settings', 'invalid')];
  const rows = [100, 0, ...new Array<number>(10).fill(100)];
  const whole = { rows, inserted: 1100, seconds: 12 };
  const background = [{ client: 1, targetRate: 100, rowsPerCommit: 50, ...whole }];
  const silent = stepResult({
    workers: [],
    warnings: [],
    tables: [],
    server: null,
    audits,
    background,
  });
  finishStep(writer, second, finished({ metrics: lost, times: [], result: silent }));
  const third = startStep(writer, key, { seq: 3, step: 'l.i1', kind: 'write', startedAt: AT });
  const message = 'insert of client 1: 53100 disk full';
  const partial = {
    result: { warnings: ['lost its server'], audits: [audit('clock', 'warned')] },
    finishedAt: LATER,
  };
  saveRunAudits(writer, key, [audit('canary', 'warned')]);
  failStep(writer, third, { status: 'failed', message, sqlstate: '53100', ...partial });
  finishRun(writer, key, { status: 'failed', message: 'step l.i1 failed', finishedAt: LATER });
  closeStore(writer);

  const reader = openStore(path, { readonly: true });
  t.after(() => closeStore(reader));
  const { directory, runnerPid, runnerStart, seed, toolVersion, commandLine, ...run } = newRun();
  const done = { status: 'done', message: null } as const;
  const { changes: _, ...told } = serverResult();
  const stalled = {
    average: 11 / 12,
    belowShare: 1 / 12,
    longestDeficitS: 1,
    largestBacklogRows: 100,
    worstWindowShare: 0.9,
  };
  assert.deepEqual(loadRuns(reader), [
    {
      ...run,
      repeat: 1,
      planRun: null,
      attempt: 1,
      warnings: [],
      status: 'failed',
      message: 'step l.i1 failed',
      audits: [audit('canary', 'warned')],
      steps: [
        {
          step: 'l.i0',
          seq: 1,
          ...done,
          metrics: empty,
          times,
          clients,
          server: { ...told, activity: [] },
          sla: [],
          warnings: ['only 12 s long'],
          audits: [],
        },
        {
          step: 'l.x',
          seq: 2,
          ...done,
          metrics: lost,
          times: [],
          clients: [],
          server: null,
          sla: [
            { client: null, ...stalled },
            { client: 1, ...stalled },
          ],
          warnings: [],
          audits,
        },
        {
          step: 'l.i1',
          seq: 3,
          status: 'failed',
          message,
          metrics: null,
          times: [],
          clients: [],
          server: null,
          sla: [],
          warnings: ['lost its server'],
          audits: [audit('clock', 'warned')],
        },
      ],
    },
  ]);
});

test('figures that are not numbers come back as null, percentiles of nothing as NaN', (t) => {
  const store = temporaryStore(t);
  const key = createRun(store, newRun());
  const step = startStep(store, key, { seq: 1, step: 'l.i0', kind: 'load', startedAt: AT });
  const nothing = timesSummary({
    count: 0,
    maxUs: 0,
    decimal: Array(10).fill(0),
    percentiles: {
      p50: Number.NaN,
      p90: Number.NaN,
      p95: Number.NaN,
      p99: Number.NaN,
      'p99.9': Number.NaN,
      'p99.99': Number.NaN,
    },
  });
  const odd = metrics({ rpq: Number.NaN, wpi: Number.NEGATIVE_INFINITY });
  finishStep(store, step, finished({ metrics: odd, times: [nothing] }));
  const read = loadRuns(store)[0]?.steps[0];
  assert.deepEqual(read?.metrics, metrics({ rpq: null, wpi: null }));
  assert.deepEqual(read?.times, [nothing]);
});

test('a step that is running has no metrics', (t) => {
  const store = temporaryStore(t);
  const key = createRun(store, newRun());
  startStep(store, key, { seq: 1, step: 'l.i0', kind: 'load', startedAt: AT });
  assert.deepEqual(loadRuns(store)[0]?.steps, [
    {
      step: 'l.i0',
      seq: 1,
      status: 'running',
      message: null,
      metrics: null,
      times: [],
      clients: [],
      server: null,
      sla: [],
      warnings: [],
      audits: [],
    },
  ]);
});

test('runs are filtered by every field given, and come in order of start', (t) => {
  const store = temporaryStore(t);
  createRun(store, newRun({ runId: 'c' }));
  createRun(store, newRun({ runId: 'b', tag: 'old', build: 'pg12' }));
  createRun(store, newRun({ runId: 'a', tag: 'new', config: 'a16', workload: 'large' }));
  const ids = (filter: Parameters<typeof loadRuns>[1]): string[] =>
    loadRuns(store, filter).map((run) => run.runId);
  assert.deepEqual(ids({}), ['c', 'b', 'a']);
  assert.deepEqual(ids({ runIds: ['a', 'c', 'unknown'] }), ['c', 'a']);
  assert.deepEqual(ids({ runIds: [] }), []);
  assert.deepEqual(ids({ tags: ['old', 'new'] }), ['b', 'a']);
  assert.deepEqual(ids({ tags: ['old', 'new'], workload: 'large' }), ['a']);
  assert.deepEqual(ids({ build: 'pg12' }), ['b']);
  assert.deepEqual(ids({ config: 'a16' }), ['a']);
});
