import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { checkPlan, type PastRun, parseWorkload, type TimeOrigin, UsageError } from '@ibench/core';
import { processToken } from '@ibench/host';
import type { NewPlanRun, PlanAttempt, PlanRecord, PlanRunRecord } from '@ibench/store';
import { expectedTime, judgeBudget } from '../src/plan/budget.ts';
import { planChanges, profileChanges } from '../src/plan/compare-plan.ts';
import { judgeHost } from '../src/plan/host-check.ts';
import { retryAdvice, standingOf } from '../src/plan/standing.ts';
import { statusTables } from '../src/plan/status-tables.ts';
import { isOwned, refuseOwned } from '../src/run/plan-owner.ts';

function past(config: string, seconds: number, workload = 'tiny'): PastRun {
  const names = { build: 'pg17', config, workload };
  return { ...names, parameters: {}, clients: 1, cpus: 2, seconds, steps: [] };
}

function planRun(config: string, more: Partial<NewPlanRun> = {}): PlanRunRecord {
  const sums = { buildSha256: 'b', configSha256: 'c', workloadSha256: 'w' };
  const names = { build: 'pg17', config, workload: 'tiny', tag: `pg17.${config}`, overrides: '{}' };
  const place = { ordinal: 1, repeat: 1, planRunKey: 1, reason: null, attempts: [] };
  return { ...names, ...sums, ...place, ...more };
}

function planRecord(more: Partial<PlanRecord>): PlanRecord {
  const file = { file: '/p.yaml', fileText: '', fileSha256: 'f', runOrder: 'blocked', seed: 1 };
  const place = { planKey: 1, name: 'nightly', edition: 1, options: '{}', startedAt: '' };
  const state = { status: 'running', message: null, finishedAt: null } as const;
  return { ...file, ...place, ...state, runnerPid: 1, runnerStart: '', ...more };
}

test('a run takes as long as the longest of its cell, else of its workload, else what rates say', () => {
  const runs = [past('a', 10), past('a', 30), past('b', 99), past('a', 500, 'large')];
  const parameters = parseWorkload({}, 'test');
  const of = (config: string, workload: string, origin: TimeOrigin) =>
    expectedTime({ build: 'pg17', config, workload, parameters }, runs, { origin, seconds: 7 });
  assert.deepEqual(of('a', 'tiny', 'same cell'), {
    seconds: 30,
    from: 'the longest earlier run of the same cell',
  });
  assert.equal(of('c', 'tiny', 'same workload')?.seconds, 99);
  assert.deepEqual(of('a', 'new', 'earlier rates'), {
    seconds: 7,
    from: 'the rates of earlier runs',
  });
  assert.equal(of('a', 'new', 'assumed rates'), null);
});

test('a run starts when it and the pause before it fit into the budget', () => {
  const budget = { seconds: 100, startedMs: 0 };
  const at = (second: number, expected: number | null) =>
    judgeBudget(budget, second * 1000, {
      expected: expected === null ? null : { seconds: expected, from: 'rates' },
      pause: 10,
    });
  assert.deepEqual(at(0, 90), { refusal: null, note: null });
  assert.match(at(0, 91).refusal ?? '', /takes 101 s \(rates\) and 100 s of the budget are left/);
  assert.equal(at(50, null).refusal, null);
  assert.match(at(50, null).note ?? '', /no earlier run.*50 s of the budget are left/);
  assert.match(at(100, null).refusal ?? '', /used up/);
  const unbounded = judgeBudget({ seconds: null, startedMs: 0 }, 1e12, {
    expected: null,
    pause: 0,
  });
  assert.deepEqual(unbounded, { refusal: null, note: null });
});

test('what makes the runs of a plan others than those that were begun is told', () => {
  const before = [planRun('a'), planRun('b')];
  assert.deepEqual(planChanges(before, [planRun('a'), planRun('b')]), []);
  assert.deepEqual(planChanges(before, [planRun('b'), planRun('a')]), [
    'the order of the runs is another',
  ]);
  assert.deepEqual(planChanges(before, [planRun('a'), planRun('c')]), [
    'left out: pg17.b, tiny, repeat 1',
    'added: pg17.c, tiny, repeat 1',
  ]);
  const changed = { buildSha256: 'x', configSha256: 'x', workloadSha256: 'x' };
  assert.deepEqual(planChanges(before, [planRun('a', changed), planRun('b')]), [
    'build pg17 is another binary',
    'config a has changed',
    'workload tiny has changed',
  ]);
});

test('a plan whose runs are profiled otherwise than those that were begun is another', () => {
  const { run } = checkPlan(
    {
      name: 'study',
      builds: ['pg17'],
      configs: ['base'],
      workloads: ['tiny'],
      repeats: 1,
      run: { profile: 'perf' },
    },
    (file) => file,
  ).plan!;
  const stored = (profile: unknown) => JSON.stringify({ run: { ...run, profile } });
  assert.deepEqual(profileChanges(stored(run.profile), run), []);
  assert.deepEqual(profileChanges(stored(null), { ...run, profile: null }), []);
  assert.deepEqual(profileChanges(stored(undefined), { ...run, profile: null }), []);
  for (const before of [null, undefined, { ...run.profile, steps: ['l.i1'] }]) {
    assert.deepEqual(profileChanges(stored(before), run), ['what is profiled has changed']);
  }
});

test('a plan has one runner, for as long as that lives', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  const runnerPid = child.pid as number;
  const runnerStart = processToken(runnerPid) ?? '';
  const plan = planRecord({ runnerPid, runnerStart });
  assert.throws(
    () => refuseOwned(plan),
    (error: Error) =>
      error instanceof UsageError && error.message.includes(`another runner (pid ${runnerPid})`),
  );
  assert.equal(isOwned(plan), true);
  // What has ended is free, and so is what a namesake of its process id does not own.
  for (const free of [null, { ...plan, status: 'stopped' as const }, { ...plan, runnerStart: 'x' }])
    refuseOwned(free);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(isOwned(plan), false);
  refuseOwned(plan);
});

function attempt(status: PlanAttempt['status'], message: string | null = null): PlanAttempt {
  const times = { startedAt: 'x', finishedAt: 'x', directory: '/r' };
  return { runKey: 1, runId: status, attempt: 1, status, message, ...times };
}

test('runs that failed as often as they may come with the command that tries them again', () => {
  const tried = (...states: PlanAttempt['status'][]) => ({
    ...planRun('a'),
    attempts: states.map((state) => attempt(state)),
  });
  const advice = (...runs: PlanRunRecord[]) => retryAdvice(runs, 1, 'my plan.yaml');
  const givenUp = tried('failed', 'crashed', 'failed');
  assert.match(advice(givenUp, tried('done')) ?? '', /^1 run has .*resume 'my plan.yaml' --retry/);
  assert.match(advice(givenUp, givenUp) ?? '', /^2 runs have /);
  // Those that plan resume does by itself, or need not do.
  const others = [tried(), tried('failed', 'crashed'), tried('failed', 'failed', 'done')];
  assert.equal(advice(...others), null);
  const outlook = { remainingSeconds: null, nowMs: 0 };
  for (const text of [null, 'try again']) {
    const tables = statusTables(planRecord({}), [givenUp], { ...outlook, advice: text });
    const notes = tables.flatMap(({ footnotes }) => footnotes);
    assert.deepEqual(notes, text === null ? [] : [text]);
  }
});

test('a run stands as its attempt that is done, else as its last', () => {
  const stands = (...attempts: PlanAttempt[]) => {
    const { state, failures, reason } = standingOf({ ...planRun('a'), attempts });
    return [state, failures, reason];
  };
  assert.deepEqual(stands(), ['planned', 0, null]);
  assert.deepEqual(stands(attempt('crashed', 'killed\nat night')), ['crashed', 0, 'killed']);
  assert.deepEqual(stands(attempt('failed', 'no'), attempt('interrupted', 'sig')), [
    'interrupted',
    1,
    'sig',
  ]);
  assert.deepEqual(stands(attempt('failed', 'no'), attempt('done')), ['done', 1, null]);
});

test('a host is busy above its bound, or with another server', () => {
  const bounds = {
    maxLoad: null,
    minFreeDisk: null,
    allowOtherPostgres: false,
    waitSeconds: 0,
    whenBusy: 'warn' as const,
  };
  const state = { load: 2, cpus: 2, servers: [] };
  assert.deepEqual(judgeHost(bounds, state), []);
  assert.deepEqual(judgeHost(bounds, { ...state, load: 2.01 }), [
    'load average 2.01 before the run, bound 2',
  ]);
  assert.deepEqual(judgeHost({ ...bounds, maxLoad: 3 }, { ...state, load: 2.01 }), []);
  const busy = { load: null, cpus: 2, servers: ['postgres (pid 7)'] };
  assert.deepEqual(judgeHost(bounds, busy), ['another server runs on this host: postgres (pid 7)']);
  assert.deepEqual(judgeHost({ ...bounds, allowOtherPostgres: true }, busy), []);
});
