import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  checkFailure,
  LOADED,
  startRun,
  steps,
  untilMeasured,
  untilNothingLeft,
  untilStepFailed,
  workerOf,
  worldOf,
} from './support.ts';

const ROLES = { pace: 'pacer', insert: 'inserter', delete: 'deleter', query: 'querier' } as const;

describe('a worker that is killed', { concurrency: 2 }, () => {
  for (const [role, name] of Object.entries(ROLES)) {
    test(`the ${name} in a read-write step: the step fails within 5 seconds and nothing is left`, async (t) => {
      const run = startRun(t);
      await untilMeasured(run, 'qr100');
      const seen = worldOf(run);
      const pid = workerOf(run, role);
      process.kill(pid, 'SIGKILL');
      await untilStepFailed(run, 'qr100');
      assert.deepEqual(await run.ended, { code: 1, signal: null });
      assert.deepEqual(steps(run), [...LOADED, 'qr100 failed']);
      const message = `the ${name} of client 1 (pid ${pid}) was ended by SIGKILL before its work was done`;
      checkFailure(run, 'qr100', { message, sqlstate: null });
      await untilNothingLeft(run, seen);
    });
  }

  test('the inserter in l.i0: the step fails within 5 seconds and nothing is left', async (t) => {
    const run = startRun(t, { set: { rows: 10_000_000 } });
    await untilMeasured(run, 'l.i0');
    const seen = worldOf(run);
    const pid = workerOf(run, 'insert');
    process.kill(pid, 'SIGKILL');
    await untilStepFailed(run, 'l.i0');
    assert.deepEqual(await run.ended, { code: 1, signal: null });
    assert.deepEqual(steps(run), ['l.i0 failed']);
    const message = `the inserter of client 1 (pid ${pid}) was ended by SIGKILL before its work was done`;
    checkFailure(run, 'l.i0', { message, sqlstate: null });
    await untilNothingLeft(run, seen);
  });
});
