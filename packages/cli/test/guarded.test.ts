import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatabaseServer } from '@ibench/host';
import { guarded } from '../src/run/failure.ts';

/** The parts of a server that are looked at; reading its log is counted. */
function serverThatEnds() {
  let end!: (how: string) => void;
  const exited = new Promise<string>((resolve) => {
    end = resolve;
  });
  const seen = { logReads: 0 };
  const server = {
    exited,
    get logPath() {
      seen.logReads++;
      return null;
    },
  } as unknown as DatabaseServer;
  return { server, end, seen };
}

const signal = new AbortController().signal;

test('work that is done is given back, and the end of the server later costs nothing', async () => {
  const { server, end, seen } = serverThatEnds();
  for (let i = 0; i < 100; i++) {
    assert.equal(await guarded(Promise.resolve(i), { server, signal }), i);
  }
  end('it ended with exit code 0');
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(seen.logReads, 0);
});

test('work ends with the server, and the log is read once', async () => {
  const { server, end, seen } = serverThatEnds();
  const work = guarded(new Promise(() => {}), { server, signal });
  end('it was ended by SIGKILL');
  await assert.rejects(work, /the server is gone: it was ended by SIGKILL/);
  assert.equal(seen.logReads, 1);
});

test('a lost connection is told as a lost server when that is what it was', async () => {
  const { server, end } = serverThatEnds();
  const work = guarded(Promise.reject(new Error('connection lost')), { server, signal });
  end('it ended with exit code 2');
  await assert.rejects(work, /the server is gone: it ended with exit code 2/);
});
