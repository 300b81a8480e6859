import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type LockChoice, lockHost } from '../src/lock/host-lock.ts';

const HOLDER = fileURLToPath(new URL('../../test/fixtures/hold-host-lock.mjs', import.meta.url));

/** A lock of this test's own: others may be running benchmarks. The kernel takes 107 bytes of a name. */
function choice(t: TestContext, more: Partial<LockChoice> = {}): LockChoice {
  return {
    owner: { pid: 4711, user: 'kim', command: 'run --preset tiny', since: 'noon', store: '/s' },
    allowConcurrent: false,
    say: () => {},
    name: `\0ibench-test-${process.pid}-${t.name.length}`,
    ...more,
  };
}

/** Another process that holds the lock. */
async function startHolder(t: TestContext, name: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [HOLDER, name.slice(1)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('the second runner is refused and told who the first is', async (t) => {
  const lock = await lockHost(choice(t));
  await assert.rejects(lockHost(choice(t)), {
    name: 'UsageError',
    message:
      /works on this host: pid 4711 of kim, since noon: ibench run --preset tiny \(results in \/s\)\n.*--allow-concurrent/,
  });
  await lock.release();
  await (await lockHost(choice(t))).release();
});

test('a runner that is just ending is waited for', async (t) => {
  const lock = await lockHost(choice(t));
  const second = lockHost(choice(t));
  await sleep(200);
  await lock.release();
  await (await second).release();
});

test('with leave to be concurrent a runner starts and tells who is there', async (t) => {
  const lock = await lockHost(choice(t));
  const said: string[] = [];
  const more = { allowConcurrent: true, say: (text: string) => said.push(text) };
  const beside = await lockHost(choice(t, more));
  assert.deepEqual(
    beside.others.map((other) => other?.pid),
    [4711],
  );
  assert.match(said.join(), /pid 4711 of kim/);
  await beside.release();
  await lock.release();
});

test('whoever works beside others keeps later ones away, from the first moment to the last', async (t) => {
  const owner = { ...choice(t).owner, pid: 4712 };
  const alone = await lockHost(choice(t));
  const beside = await lockHost(choice(t, { allowConcurrent: true, owner }));
  await assert.rejects(lockHost(choice(t)), { message: /pid 4711 of kim.*; pid 4712 of kim/ });
  await alone.release();
  await assert.rejects(lockHost(choice(t)), { message: /host: pid 4712 of kim[^;]*\n/ });
  const third = await lockHost(choice(t, { allowConcurrent: true }));
  assert.deepEqual(
    third.others.map((other) => other?.pid),
    [4712],
  );
  await beside.release();
  await third.release();
  await (await lockHost(choice(t))).release();
});

test('the lock of a runner that is killed is free', async (t) => {
  const { name } = choice(t);
  const holder = await startHolder(t, name as string);
  await assert.rejects(lockHost(choice(t)), { message: new RegExp(`pid ${holder.pid} `) });
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await (await lockHost(choice(t))).release();
});

test('a runner that is stopped holds the lock, though it cannot say who it is', async (t) => {
  const { name } = choice(t);
  const holder = await startHolder(t, name as string);
  holder.kill('SIGSTOP');
  await assert.rejects(lockHost(choice(t)), { message: /does not say who it is/ });
});

test('another program that answers nonsense is no owner, and nothing of it reaches the terminal', async (t) => {
  const { name } = choice(t);
  const server = net.createServer((socket) => socket.end('{"pid":"\u001b[2J"}'));
  server.listen(name);
  await once(server, 'listening');
  await assert.rejects(lockHost(choice(t)), { message: /does not say who it is/ });
  server.close();
});
