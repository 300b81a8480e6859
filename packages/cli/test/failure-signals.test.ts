import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  checkNoNumbers,
  connectTo,
  LOADED,
  measured,
  noteOf,
  query,
  type Run,
  runRow,
  startRun,
  steps,
  until,
  untilMeasured,
  untilNothingLeft,
  untilRunning,
  worldOf,
} from './support.ts';

describe('a run that is interrupted', { concurrency: 2 }, () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${signal} in l.i0 keeps its seconds and leaves nothing`, async (t) => {
      const run = startRun(t, { set: { rows: 10_000_000 } });
      await untilMeasured(run, 'l.i0');
      await interrupt(run, signal, ['l.i0 interrupted']);
      assert.ok(measured(run, 'l.i0') > 0);
    });

    test(`${signal} in l.x cancels the build and leaves nothing`, async (t) => {
      const run = startRun(t, { set: { rows: 200_000 } });
      await untilMeasured(run, 'l.i0');
      // This lock lets inserts pass and makes the first index wait.
      const client = await connectTo(run);
      const lock = client.unsafe('begin; lock table pi1 in row exclusive mode');
      await untilRunning(run, 'l.x');
      await lock;
      await interrupt(run, signal, ['l.i0 done', 'l.x interrupted']);
      await client.end({ timeout: 1 });
    });

    test(`${signal} in settle does not wait for its end`, async (t) => {
      const run = startRun(t, { set: { settle_seconds: 3600 } });
      await untilRunning(run, 'settle');
      await interrupt(run, signal, [...LOADED.slice(0, -1), 'settle interrupted']);
    });

    test(`${signal} in a read-write step keeps the finished steps`, async (t) => {
      const run = startRun(t);
      await untilMeasured(run, 'qr100');
      await interrupt(run, signal, [...LOADED, 'qr100 interrupted']);
      assert.ok(measured(run, 'qr100') > 0);
    });

    test(`${signal} to the whole process group while the server starts removes its data`, async (t) => {
      const run = startRun(t);
      await until('the data directory is being made', () => noteOf(run));
      await interrupt(run, signal, [], -run.pid);
    });
  }
});

/** Sends the signal, as kill or (to a group) the terminal does, and checks everything that must follow. */
async function interrupt(
  run: Run,
  signal: NodeJS.Signals,
  expected: readonly string[],
  target = run.pid,
): Promise<void> {
  const seen = worldOf(run);
  process.kill(target, signal);
  assert.deepEqual(await run.ended, { code: 130, signal: null }, run.stderr());
  assert.deepEqual(steps(run), expected);
  const { status, message, finished_at } = runRow(run);
  assert.deepEqual([status, message], ['interrupted', `interrupted by ${signal}`]);
  assert.notEqual(finished_at, null);
  const cut = expected.find((step) => !step.endsWith('done'))?.split(' ')[0];
  if (cut !== undefined) checkNoNumbers(run, cut);
  const done = query(run, 'SELECT count(*) AS n FROM metrics WHERE tag = :tag AND seconds > 0');
  assert.equal(done[0]?.n, expected.filter((step) => step.endsWith('done')).length);
  await untilNothingLeft(run, seen);
}
