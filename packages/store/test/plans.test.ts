import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addRunWarning,
  continuePlan,
  createPlan,
  createRun,
  endPlan,
  findPlan,
  finishRun,
  finishStep,
  listPlans,
  listRuns,
  loadRuns,
  markCrashed,
  type NewPlan,
  type NewPlanRun,
  type PlanRecord,
  planRuns,
  type Store,
  saveBranch,
  sayNotStarted,
  startStep,
} from '../src/index.ts';
import { AT, finished, LATER, newRun, temporaryStore } from './sample.ts';

const PLAN: NewPlan = {
  name: 'nightly',
  file: '/plans/nightly.yaml',
  fileText: 'name: nightly\n',
  fileSha256: 'f1',
  runOrder: 'interleaved',
  seed: 1,
  options: '{"retries":1}',
  startedAt: AT,
  runnerPid: 1,
  runnerStart: '1-boot',
};

function planRun(ordinal: number, repeat: number): NewPlanRun {
  const { build, config, workload, tag } = newRun();
  const sums = { buildSha256: 'b', configSha256: 'c', workloadSha256: 'w' };
  return { ordinal, repeat, build, config, workload, tag, overrides: '{}', ...sums };
}

/** A plan of two repeats, and the keys of its runs. */
function twoRepeats(store: Store): readonly [planKey: number, first: number, second: number] {
  const { planKey } = createPlan(store, PLAN, [planRun(1, 1), planRun(2, 2)]);
  const [first, second] = planRuns(store, planKey).map(({ planRunKey }) => planRunKey);
  return [planKey, first as number, second as number];
}

test('runs of a plan have its repeats, and attempts that are counted', (t) => {
  const store = temporaryStore(t);
  createRun(store, newRun({ runId: 'earlier' }));
  const [planKey, first, second] = twoRepeats(store);
  const crashed = createRun(store, newRun({ runId: 'a', planRunKey: first }));
  markCrashed(store, crashed, 'killed', LATER);
  const again = createRun(store, newRun({ runId: 'b', planRunKey: first }));
  finishRun(store, again, { status: 'done', message: null, finishedAt: LATER });
  createRun(store, newRun({ runId: 'c', planRunKey: second }));

  assert.deepEqual(
    planRuns(store, planKey).map(({ repeat, attempts }) => [
      repeat,
      attempts.map(({ runId, attempt, status }) => [runId, attempt, status]),
    ]),
    [
      [
        1,
        [
          ['a', 1, 'crashed'],
          ['b', 2, 'done'],
        ],
      ],
      [2, [['c', 1, 'running']]],
    ],
  );
  assert.deepEqual(
    listRuns(store).map(({ repeat }) => repeat),
    [1, 1, 1, 2],
  );
  createRun(store, newRun({ runId: 'later' }));
  assert.equal(listRuns(store).at(-1)?.repeat, 3);
  assert.deepEqual(
    store.db.prepare('SELECT run_id, repeat, attempt, status, reason FROM plan_runs').raw().all(),
    [
      ['a', 1, 1, 'crashed', 'killed'],
      ['b', 1, 2, 'done', null],
      ['c', 2, 1, 'running', null],
    ],
  );
});

test('a plan begun anew is another edition, and the last one counts', (t) => {
  const store = temporaryStore(t);
  assert.equal(findPlan(store, 'nightly'), null);
  const { planKey } = createPlan(store, PLAN, [planRun(1, 1)]);
  endPlan(store, planKey, { status: 'done', message: null, finishedAt: LATER });
  createPlan(store, { ...PLAN, fileSha256: 'f2' }, [planRun(1, 1)]);
  const plan = findPlan(store, 'nightly');
  assert.deepEqual([plan?.edition, plan?.fileSha256, plan?.status], [2, 'f2', 'running']);
  assert.deepEqual(
    listPlans(store).map(({ edition }) => edition),
    [2],
  );
});

test('who may not have a plan is told so before anything is written', (t) => {
  const store = temporaryStore(t);
  const { planKey } = createPlan(store, PLAN, [planRun(1, 1)], (last) => assert.equal(last, null));
  const before = store.db.prepare('SELECT * FROM plan').all();
  const refuse = (last: PlanRecord | null) => {
    throw new Error(`plan ${last?.planKey} has a runner`);
  };
  const other = { runnerPid: 2, runnerStart: '2-boot' };
  const reason = { message: `plan ${planKey} has a runner` };
  assert.throws(() => createPlan(store, { ...PLAN, ...other }, [planRun(1, 1)], refuse), reason);
  assert.throws(() => continuePlan(store, { planKey, name: PLAN.name }, other, refuse), reason);
  assert.deepEqual(store.db.prepare('SELECT * FROM plan').all(), before);
});

test('a plan that goes on forgets how it ended and why runs were not started', (t) => {
  const store = temporaryStore(t);
  const [planKey, first] = twoRepeats(store);
  sayNotStarted(store, first, 'no time left');
  endPlan(store, planKey, { status: 'stopped', message: 'budget', finishedAt: LATER });
  assert.equal(planRuns(store, planKey)[0]?.reason, 'no time left');
  continuePlan(store, { planKey, name: 'nightly' }, { runnerPid: 2, runnerStart: '2-boot' });
  const { status, message, finishedAt, runnerPid } = findPlan(store, 'nightly') ?? {};
  assert.deepEqual([status, message, finishedAt, runnerPid], ['running', null, null, 2]);
  assert.equal(planRuns(store, planKey)[0]?.reason, null);
});

test('a run that started from the data of another lists its steps without figures', (t) => {
  const store = temporaryStore(t);
  const source = createRun(store, newRun({ runId: 'source' }));
  const load = startStep(store, source, { seq: 1, step: 'l.i0', kind: 'load', startedAt: AT });
  finishStep(store, load, finished());
  const data = { afterSeq: 1, fromRunKey: source, dataSha256: 'd', dataBytes: 8192 };
  saveBranch(store, source, data);
  const heir = createRun(store, newRun({ runId: 'heir' }));
  saveBranch(store, heir, data);
  startStep(store, heir, { seq: 2, step: 'l.x', kind: 'index', startedAt: AT });

  const [first, second] = loadRuns(store);
  assert.deepEqual(
    first?.steps.map(({ step, status }) => [step, status]),
    [['l.i0', 'done']],
  );
  assert.deepEqual(
    second?.steps.map(({ step, status, inheritedFrom, metrics }) => [
      step,
      status,
      inheritedFrom,
      metrics,
    ]),
    [
      ['l.i0', 'inherited', 'source', null],
      ['l.x', 'running', undefined, null],
    ],
  );
  const select = (sql: string): unknown[] => store.db.prepare(sql).raw().all();
  assert.deepEqual(select('SELECT run_id, step, status, inherited_from FROM steps'), [
    ['source', 'l.i0', 'done', null],
    ['heir', 'l.x', 'running', null],
    ['heir', 'l.i0', 'inherited', 'source'],
  ]);
  assert.deepEqual(select("SELECT step FROM metrics WHERE run_id = 'heir'"), [['l.x']]);
  assert.deepEqual(select('SELECT * FROM branches'), [
    ['source', 'l.i0', 'source', 'd', 8192],
    ['heir', 'l.i0', 'source', 'd', 8192],
  ]);
});

test('a load counts once when its attempt was done again from its data: with the attempt that counts', (t) => {
  const store = temporaryStore(t);
  const [, first, second] = twoRepeats(store);
  const crashed = createRun(store, newRun({ runId: 'crashed', planRunKey: first }));
  for (const [i, step] of ['l.i0', 'l.i1'].entries()) {
    const key = startStep(store, crashed, { seq: i + 1, step, kind: 'load', startedAt: AT });
    finishStep(store, key, finished());
  }
  const data = { afterSeq: 1, fromRunKey: crashed, dataSha256: 'd', dataBytes: 8192 };
  saveBranch(store, crashed, data);
  markCrashed(store, crashed, 'killed', LATER);
  saveBranch(store, createRun(store, newRun({ runId: 'again', planRunKey: first })), data);
  saveBranch(store, createRun(store, newRun({ runId: 'other', planRunKey: second })), data);

  const load = (...runIds: string[]) =>
    loadRuns(store, { runIds }).map(({ runId, steps }) => [
      runId,
      ...steps.map(({ step, status, inheritedFrom, metrics }) =>
        [step, status, inheritedFrom ?? 'itself', metrics === null ? 'none' : 'figures'].join(' '),
      ),
    ]);
  assert.deepEqual(load('again', 'other'), [
    ['again', 'l.i0 done crashed figures'],
    ['other', 'l.i0 inherited crashed none'],
  ]);
  // Who wants to see the attempt that crashed sees the load there, and not twice.
  assert.deepEqual(load('crashed', 'again'), [
    ['crashed', 'l.i0 done itself figures', 'l.i1 done itself figures'],
    ['again', 'l.i0 inherited crashed none'],
  ]);
});

test('a warning about a run as a whole has no step', (t) => {
  const store = temporaryStore(t);
  const key = createRun(store, newRun());
  for (const text of ['busy host', 'busy host']) addRunWarning(store, key, text);
  assert.deepEqual(loadRuns(store)[0]?.warnings, ['busy host']);
  assert.deepEqual(store.db.prepare('SELECT * FROM warnings').raw().all(), [
    ['r1', null, 'busy host'],
  ]);
});
