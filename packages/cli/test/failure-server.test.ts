import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  backendOf,
  checkFailure,
  LOADED,
  noteOf,
  postmasterOf,
  query,
  runRow,
  sql,
  startRun,
  steps,
  until,
  untilMeasured,
  untilNothingLeft,
  untilRunning,
  untilStepFailed,
  worldOf,
} from './support.ts';

describe('a server that fails', { concurrency: 2 }, () => {
  test('a backend that an administrator ends fails the step with its SQLSTATE and worker', async (t) => {
    const run = startRun(t);
    await untilMeasured(run, 'qr100');
    const seen = worldOf(run);
    const pid = await backendOf(run, 'insert');
    await sql(run, `select pg_terminate_backend(${pid})`);
    await untilStepFailed(run, 'qr100');
    assert.deepEqual(await run.ended, { code: 1, signal: null });
    assert.deepEqual(steps(run), [...LOADED, 'qr100 failed']);
    checkFailure(run, 'qr100', {
      message: /^the inserter of client 1 failed \(SQLSTATE 57P01\): .*administrator command/,
      sqlstate: '57P01',
    });
    await untilNothingLeft(run, seen);
  });

  test('a backend that is killed is named first, whichever connection was the first to fail', async (t) => {
    const run = startRun(t);
    await untilMeasured(run, 'qr100');
    const seen = worldOf(run);
    const pid = await backendOf(run, 'delete');
    process.kill(pid, 'SIGKILL');
    await untilStepFailed(run, 'qr100');
    assert.deepEqual(await run.ended, { code: 1, signal: null });
    checkFailure(run, 'qr100', {
      message: RegExp(
        `^the backend of the deleter of client 1: [\\w ]+ \\(PID ${pid}\\) was terminated by signal 9: Killed; the \\w+ of client 1 `,
      ),
      sqlstate: /^(57P02|null)$/,
    });
    await untilNothingLeft(run, seen);
  });

  for (const step of ['settle', 'qr100']) {
    test(`a server that is gone in ${step} fails it with the end of its log`, async (t) => {
      const run = startRun(t, { set: step === 'settle' ? { settle_seconds: 3600 } : {} });
      await (step === 'settle' ? untilRunning : untilMeasured)(run, step);
      const seen = worldOf(run);
      process.kill(postmasterOf(run), 'SIGKILL');
      await untilStepFailed(run, step);
      assert.deepEqual(await run.ended, { code: 1, signal: null });
      const done = LOADED.filter((line) => line !== `${step} done`);
      assert.deepEqual(steps(run), [...done, `${step} failed`]);
      checkFailure(run, step, {
        message:
          /^the server is gone: it was ended by SIGKILL\n.*server\.log ends with:\n.*(ready to accept|postmaster exit)/s,
        sqlstate: null,
      });
      // A postmaster that is killed cannot remove its shared memory: the run does.
      assert.ok(seen.sharedMemory.length > 0);
      await untilNothingLeft(run, seen);
    });
  }

  test('a server that cannot start: the end of its log is shown, and its data is gone', async (t) => {
    const noCertificate = "ssl_cert_file = '/dev/null'\nssl_key_file = '/dev/null'";
    const config = `work_mem = 1% of memory # ours\nssl = on\n${noCertificate}`;
    const run = startRun(t, { config });
    const note = await until('the run has made a place for its server', () => noteOf(run));
    assert.deepEqual(await run.ended, { code: 1, signal: null });
    const shown = /did not start.*server\.log ends with:\n.*FATAL: .*"\/dev\/null"/s;
    assert.match(run.stderr(), shown);
    assert.match(String(runRow(run).message), shown);
    // What was asked for is kept all the same, each value with where it is from.
    assert.match(
      String(runRow(run).config_text),
      /^work_mem = \d+MB {2}# 1% of memory; test\.conf:1$/m,
    );
    const facts = "SELECT value FROM host_facts WHERE name = 'config_memory_bytes'";
    assert.ok(Number(query(run, facts)[0]?.value) > 2 ** 30);
    assert.equal(runRow(run).status, 'failed');
    assert.deepEqual(steps(run), []);
    await untilNothingLeft(run, { ...worldOf(run), note });
  });
});
