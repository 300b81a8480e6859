import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkFailure,
  startRun,
  steps,
  untilMeasured,
  untilNothingLeft,
  untilStepFailed,
  workerOf,
  worldOf,
} from './support.ts';

test('an inserter that is killed in l.i0: the step fails within 5 seconds and nothing is left', async (t) => {
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
