import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { endProcess, isRunning, plainEnvironment, processToken } from '../src/process.ts';

/** A shell that says when it is ready, and takes some signals calmly. */
async function startShell(t: TestContext, traps: string) {
  const script = `${traps}\necho ready\nwhile :; do sleep 0.05; done`;
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  const pid = child.pid as number;
  return { child, pid, token: processToken(pid) as string, exited };
}

const LADDER = [
  { signal: 'SIGINT', waitMs: 300 },
  { signal: 'SIGTERM', waitMs: 300 },
  { signal: 'SIGKILL', waitMs: 10_000 },
] as const;

test('a process is named by its start and the boot, and by nothing once it is gone', async (t) => {
  const { child, pid, token, exited } = await startShell(t, '');
  assert.match(token, /^\d+@[0-9a-f-]{36}$/);
  assert.equal(processToken(pid), token);
  assert.equal(isRunning(pid, token), true);
  assert.equal(isRunning(pid, token.replace(/^\d+/, '1')), false);
  assert.equal(isRunning(process.pid, token), false);
  child.kill('SIGKILL');
  await exited;
  assert.equal(processToken(pid), null);
  assert.equal(isRunning(pid, token), false);
  assert.equal(processToken(-1), null);
});

test('a process whose parent has not heard of its end yet is gone all the same', async (t) => {
  const { child, pid } = await startShell(t, '');
  assert.notEqual(processToken(pid), null);
  child.kill('SIGKILL');
  // No turn of the event loop, so that Node cannot reap it meanwhile.
  const until = performance.now() + 10_000;
  while (processToken(pid) !== null && performance.now() < until);
  assert.equal(child.exitCode ?? child.signalCode, null);
  assert.equal(processToken(pid), null);
});

test('the first signal that works is the last that is sent', async (t) => {
  for (const [traps, signal] of [
    ['', 'SIGINT'],
    ["trap '' INT", 'SIGTERM'],
    ["trap '' INT TERM", 'SIGKILL'],
  ] as const) {
    const { pid, token, exited } = await startShell(t, traps);
    assert.equal(await endProcess(pid, token, LADDER), true);
    assert.deepEqual(await exited, [null, signal]);
  }
});

test('a process that outlives all signals is told of', async (t) => {
  const { pid, token } = await startShell(t, "trap '' INT TERM");
  assert.equal(await endProcess(pid, token, LADDER.slice(0, 2)), false);
  assert.equal(isRunning(pid, token), true);
});

test('a pid that is another process by now gets no signal', async (t) => {
  const { pid, token } = await startShell(t, '');
  assert.equal(await endProcess(pid, `1${token}`, LADDER), true);
  assert.equal(isRunning(pid, token), true);
});

test('programs get nothing of the user’s environment', () => {
  process.env.PGPORT = '1';
  process.env.LANG = 'de_DE.UTF-8';
  assert.deepEqual(Object.keys(plainEnvironment()).sort(), ['LC_ALL', 'PATH', 'TZ']);
});
