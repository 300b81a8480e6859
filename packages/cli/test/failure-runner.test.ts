import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  checkNoNumbers,
  LOADED,
  measured,
  noteOf,
  processesOf,
  query,
  type Run,
  runRow,
  startRun,
  steps,
  temporaryDirectory,
  until,
  untilMeasured,
  untilNothingLeft,
  untilRunning,
  worldOf,
} from './support.ts';

/** A whole run that is over soon. */
const QUICK = { read_write_seconds: 1 };
const ALL_DONE = [
  ...LOADED,
  ...['qr100', 'qp100', 'qr500', 'qp500', 'qr1000', 'qp1000'].map((step) => `${step} done`),
];

describe('a runner', () => {
  test('that is killed: the next run stops its server and marks it crashed, and leaves a live run alone', async (t) => {
    const runsDirectory = temporaryDirectory(t);
    const alive = startRun(t, { runsDirectory, set: { settle_seconds: 3600 } });
    await untilRunning(alive, 'settle');
    const killed = startRun(t, { runsDirectory, set: { l_i1_rows: 10_000_000 } });
    await untilMeasured(killed, 'l.i1');
    const starting = startRun(t, { runsDirectory });
    await until('the data directory is being made', () => noteOf(starting));
    const worlds = [killed, starting].map((run) => ({ run, seen: worldOf(run) }));

    for (const { run } of worlds) {
      process.kill(run.pid, 'SIGKILL');
      assert.deepEqual(await run.ended, { code: null, signal: 'SIGKILL' });
    }
    await until('the workers have gone', () => workersOf(killed) === 0);
    assert.ok(processesOf(killed, noteOf(killed)).length > 0, 'the server is orphaned');
    const before = worldOf(alive).processes.map(({ pid }) => pid);

    // Its reader goes away early, as `| head -1` does, which must not matter.
    const next = startRun(t, { runsDirectory, set: QUICK });
    next.child.stdout?.destroy();
    await untilRunning(next, 'l.i0');
    for (const { run, seen } of worlds) {
      await untilNothingLeft(run, seen);
      assert.equal(runRow(run).status, 'crashed');
      const message = `the runner (pid ${run.pid}) ended without finishing the run`;
      assert.equal(runRow(run).message, message);
    }
    assert.deepEqual(steps(killed), ['l.i0 done', 'l.x done', 'l.i1 crashed']);
    checkNoNumbers(killed, 'l.i1');
    assert.ok(measured(killed, 'l.i1') > 0);
    assert.match(next.stderr(), /its server \(pid \d+\) is stopped, its data is removed/);
    assert.match(next.stderr(), new RegExp(`run ${runRow(killed).run_id} is marked as crashed`));

    assert.deepEqual(await next.ended, { code: 0, signal: null }, next.stderr());
    assert.deepEqual(steps(next), ALL_DONE);
    assert.equal(runRow(alive).status, 'running');
    const after = new Set(worldOf(alive).processes.map(({ pid }) => pid));
    assert.deepEqual(
      before.filter((pid) => !after.has(pid)),
      [],
      'processes of the live run',
    );
    const seen = worldOf(alive);
    process.kill(alive.pid, 'SIGINT');
    assert.deepEqual(await alive.ended, { code: 130, signal: null });
    await untilNothingLeft(alive, seen);
  });

  test('that is killed leaves no server to a next run that is kept elsewhere', async (t) => {
    const killed = startRun(t, { set: { settle_seconds: 3600 } });
    await untilRunning(killed, 'settle');
    const seen = worldOf(killed);
    process.kill(killed.pid, 'SIGKILL');
    await killed.ended;
    const next = startRun(t, { set: QUICK });
    await untilRunning(next, 'l.i0');
    assert.match(next.stderr(), /its server \(pid \d+\) is stopped, its data is removed/);
    await untilNothingLeft(killed, seen);
    assert.deepEqual(await next.ended, { code: 0, signal: null }, next.stderr());
  });

  test('that is stopped for a while says so, and what it measured itself then is invalid', async (t) => {
    const run = startRun(t, { set: { settle_seconds: 8, read_write_seconds: 8 } });
    await until('settle is measured', () => samples(run, 'settle') > 0);
    await stopFor(run, 3000);
    await untilMeasured(run, 'qr100');
    await stopFor(run, 2000);
    await untilMeasured(run, 'qp100');
    await stopFor(run, 11_000);
    await until('qp100 is done', () => steps(run).includes('qp100 done'));
    process.kill(run.pid, 'SIGINT');
    await run.ended;
    assert.match(
      runnerAudit(run, 'settle'),
      /^invalid: the runner stood still for \d+\.\d s; it is/,
    );
    assert.match(runnerAudit(run, 'qr100'), /^warned: the runner stood still for \d+\.\d s$/);
    assert.match(runnerAudit(run, 'qp100'), /^invalid: .*; the counters of the machine are of /);
    const missing = query(run, `SELECT text FROM warnings WHERE text LIKE '%samples%missing%'`);
    const causes = missing.map(({ text }) => String(text).replace(/^.*missing: /, ''));
    assert.ok(causes.length > 0, 'no samples are missing');
    for (const cause of causes) assert.match(cause, /^the runner stood still for /);
  });

  test('whose standard error is closed finishes the run and prints its tables', async (t) => {
    const run = startRun(t, { set: QUICK });
    await untilRunning(run, 'l.i0');
    run.child.stderr?.destroy();
    assert.deepEqual(await run.ended, { code: 0, signal: null });
    assert.deepEqual(steps(run), ALL_DONE);
    assert.match(run.stdout(), /qp1000/);
  });
});

/** Samples of the machine in a step that are in the store. */
function samples(run: Run, step: string): number {
  return query(run, `SELECT 1 FROM os_samples WHERE step = '${step}'`).length;
}

async function stopFor(run: Run, ms: number): Promise<void> {
  process.kill(run.pid, 'SIGSTOP');
  await sleep(ms);
  process.kill(run.pid, 'SIGCONT');
}

function runnerAudit(run: Run, step: string): string {
  const [audit] = query(
    run,
    `SELECT verdict, reason FROM audits WHERE step = '${step}' AND name = 'runner'`,
  );
  return `${audit?.verdict}: ${audit?.reason}`;
}

/** Worker processes of a run, whether or not it lives. */
function workersOf(run: Run): number {
  return processesOf(run, null).filter(({ title }) => title.includes('"parentPid"')).length;
}
