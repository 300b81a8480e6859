import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import {
  createRun,
  failStep,
  finishRun,
  finishStep,
  listRuns,
  loadRuns,
  markCrashed,
  saveConfigText,
  saveRunFacts,
  saveSettings,
  startStep,
  unfinishedRuns,
} from '../src/index.ts';
import { AT, finished, LATER, newRun, temporaryStore } from './sample.ts';

test('repeats count per build, config, workload and tag, failed runs too', (t) => {
  const store = temporaryStore(t);
  const key = createRun(store, newRun());
  finishRun(store, key, { status: 'failed', message: 'no', finishedAt: LATER });
  createRun(store, newRun({ runId: 'r2' }));
  createRun(store, newRun({ runId: 'r3', tag: 'other' }));
  createRun(store, newRun({ runId: 'r4', workload: 'other' }));
  createRun(store, newRun({ runId: 'r5' }));
  assert.deepEqual(
    listRuns(store).map(({ runId, repeat }) => [runId, repeat]),
    [
      ['r1', 1],
      ['r2', 2],
      ['r3', 1],
      ['r4', 1],
      ['r5', 3],
    ],
  );
});

test('a run that exists already is refused by name', (t) => {
  const store = temporaryStore(t);
  createRun(store, newRun());
  assert.throws(() => createRun(store, newRun()), {
    name: 'RunError',
    message: /^run r1 cannot be added to .*: there is one of this id$/,
  });
  assert.equal(listRuns(store).length, 1);
});

test('the list of runs tells how each ended, in order of start', (t) => {
  const store = temporaryStore(t);
  const first = createRun(store, newRun({ runId: 'z' }));
  createRun(store, newRun({ runId: 'a' }));
  finishRun(store, first, { status: 'interrupted', message: 'Ctrl-C', finishedAt: LATER });
  const { runnerPid, runnerStart, seed, toolVersion, commandLine, ...run } = newRun();
  const shown = { ...run, repeat: 1, planRun: null, attempt: 1 };
  assert.deepEqual(listRuns(store), [
    { ...shown, runId: 'z', status: 'interrupted', message: 'Ctrl-C', finishedAt: LATER },
    { ...shown, runId: 'a', repeat: 2, status: 'running', message: null, finishedAt: null },
  ]);
});

test('the runs view shows what a run was started with', (t) => {
  const store = temporaryStore(t);
  const key = createRun(store, newRun());
  saveConfigText(store, key, 'fsync = on\n');
  const { runnerPid, runnerStart, ...run } = newRun();
  assert.deepEqual(store.db.prepare('SELECT * FROM runs').get(), {
    run_id: run.runId,
    tag: run.tag,
    build: run.build,
    config: run.config,
    workload: run.workload,
    repeat: 1,
    clients: run.clients,
    status: 'running',
    message: null,
    started_at: run.startedAt,
    finished_at: null,
    directory: run.directory,
    seed: run.seed,
    tool_version: run.toolVersion,
    command_line: run.commandLine,
    config_sha256: createHash('sha256').update('fsync = on\n').digest('hex'),
    config_text: 'fsync = on\n',
    attempt: 1,
    plan: null,
  });
});

test('facts keep text, whole numbers, fractions and what was not found, by category', (t) => {
  const store = temporaryStore(t);
  const key = createRun(store, newRun());
  saveRunFacts(store, key, 'host', new Map([['cpus', 4]]));
  saveRunFacts(
    store,
    key,
    'host',
    new Map<string, string | number | null>([
      ['cpus', 8],
      ['governor', null],
      ['load', 0.5],
      ['serial', '007'],
    ]),
  );
  saveRunFacts(store, key, 'build', new Map([['version', '18.4']]));
  saveRunFacts(store, key, 'workload', new Map([['X', 100]]));
  saveRunFacts(store, key, 'client', new Map([['driver', 'libpq']]));
  const facts = (view: string): unknown[] =>
    store.db.prepare(`SELECT name, value, typeof(value) FROM ${view} ORDER BY name`).raw().all();
  assert.deepEqual(facts('host_facts'), [
    ['cpus', 8, 'integer'],
    ['governor', null, 'null'],
    ['load', 0.5, 'real'],
    ['serial', '007', 'text'],
  ]);
  assert.deepEqual(facts('build_facts'), [['version', '18.4', 'text']]);
  assert.deepEqual(facts('workload_parameters'), [['X', 100, 'integer']]);
  assert.deepEqual(facts('client_facts'), [['driver', 'libpq', 'text']]);
});

test('settings keep what was asked for beside what the server uses', (t) => {
  const store = temporaryStore(t);
  const key = createRun(store, newRun());
  const rows = [
    { name: 'fsync', requested: null, actual: 'on', unit: null, source: 'default' },
    { name: 'shared_buffers', requested: '1GB', actual: '131072', unit: '8kB', source: 'file' },
  ];
  saveSettings(store, key, rows);
  saveSettings(store, key, rows);
  assert.deepEqual(
    store.db.prepare('SELECT * FROM settings ORDER BY name').all(),
    rows.map((row) => ({ run_id: 'r1', ...row })),
  );
});

test('a run with a running step cannot be done', (t) => {
  const store = temporaryStore(t);
  const key = createRun(store, newRun());
  const step = startStep(store, key, { seq: 1, step: 'l.i0', kind: 'load', startedAt: AT });
  const done = { status: 'done', message: null, finishedAt: LATER } as const;
  assert.throws(() => finishRun(store, key, done), {
    name: 'RunError',
    message: /step l\.i0 runs/,
  });
  assert.equal(loadRuns(store)[0]?.status, 'running');
  finishStep(store, step, finished());
  finishRun(store, key, done);
  assert.equal(loadRuns(store)[0]?.status, 'done');
});

test('a step that still runs ends with its run, the same way', (t) => {
  const store = temporaryStore(t);
  const key = createRun(store, newRun());
  startStep(store, key, { seq: 1, step: 'l.i0', kind: 'load', startedAt: AT });
  finishRun(store, key, { status: 'interrupted', message: 'Ctrl-C', finishedAt: LATER });
  const [run] = loadRuns(store);
  assert.deepEqual(
    [run?.status, run?.steps[0]?.status, run?.steps[0]?.message],
    ['interrupted', 'interrupted', 'Ctrl-C'],
  );
});

test('a run cannot end twice', (t) => {
  const store = temporaryStore(t);
  const key = createRun(store, newRun());
  const done = { status: 'done', message: null, finishedAt: LATER } as const;
  finishRun(store, key, done);
  assert.throws(() => finishRun(store, key, done), { name: 'RunError', message: /not running/ });
});

test('an orphaned run is found and marked crashed with its running step only', (t) => {
  const store = temporaryStore(t);
  const ended = createRun(store, newRun({ runId: 'ended' }));
  finishRun(store, ended, { status: 'done', message: null, finishedAt: LATER });
  const key = createRun(store, newRun());
  const first = startStep(store, key, { seq: 1, step: 'l.i0', kind: 'load', startedAt: AT });
  finishStep(store, first, finished());
  const second = startStep(store, key, { seq: 2, step: 'l.x', kind: 'index', startedAt: AT });
  failStep(store, second, { status: 'failed', message: 'disk full', finishedAt: LATER });
  startStep(store, key, { seq: 3, step: 'l.i1', kind: 'write', startedAt: AT });
  assert.deepEqual(unfinishedRuns(store), [
    {
      runKey: key,
      runId: 'r1',
      directory: '/runs/r1',
      runnerPid: 4242,
      runnerStart: '777-boot',
    },
  ]);

  markCrashed(store, key, 'its runner is gone', LATER);
  markCrashed(store, key, 'a second time', LATER);
  markCrashed(store, ended, 'not this one', LATER);
  assert.deepEqual(unfinishedRuns(store), []);
  const [untouched, crashed] = loadRuns(store);
  assert.equal(untouched?.status, 'done');
  assert.deepEqual([crashed?.status, crashed?.message], ['crashed', 'its runner is gone']);
  assert.deepEqual(
    crashed?.steps.map((step) => [step.status, step.message]),
    [
      ['done', null],
      ['failed', 'disk full'],
      ['crashed', 'its runner is gone'],
    ],
  );
});
