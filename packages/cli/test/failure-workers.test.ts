import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  measuredRows,
  query,
  type Run,
  runRow,
  startRun,
  steps,
  until,
  untilMeasured,
  untilNothingLeft,
  workerOf,
  worldOf,
} from './support.ts';

const LOADED = ['l.i0 done', 'l.x done', 'l.i1 done', 'l.i2 done', 'settle done'];
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
      checkFailure(run, 'qr100', message);
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
    checkFailure(run, 'l.i0', message);
    await untilNothingLeft(run, seen);
  });
});

/** The bound is the requirement's. */
function untilStepFailed(run: Run, step: string): Promise<true> {
  return until(`${step} is marked as failed`, () => steps(run).includes(`${step} failed`), 5000);
}

/** What the store and the user are told about a step that failed, and that it has no numbers. */
function checkFailure(run: Run, step: string, message: string): void {
  const [row] = query(run, `SELECT * FROM steps WHERE tag = :tag AND step = '${step}'`);
  assert.deepEqual([row?.message, row?.sqlstate], [message, null]);
  assert.equal(runRow(run).status, 'failed');
  assert.equal(runRow(run).message, message);
  assert.ok(run.stderr().includes(`failed: ${message}`), run.stderr());
  const [metrics] = query(run, `SELECT * FROM metrics WHERE tag = :tag AND step = '${step}'`);
  const {
    run_id,
    tag,
    build,
    config,
    workload,
    repeat,
    step: _,
    seq,
    status,
    ...numbers
  } = metrics ?? {};
  assert.deepEqual([...new Set(Object.values(numbers))], [null]);
  assert.ok(measuredRows(run, step) > 0);
}
