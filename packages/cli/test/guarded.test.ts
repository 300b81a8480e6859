import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { RunError } from '@ibench/core';
import type { DatabaseServer } from '@ibench/host';
import { guarded, StepFailure } from '../src/run/failure.ts';
import { withCrash } from '../src/run/server-crash.ts';
import { temporaryDirectory } from './support.ts';

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

const CRASH = 'LOG:  server process (PID 71) was terminated by signal 9: Killed';
const WARNING = 'WARNING:  terminating connection because of crash of another server process';

test('whatever a connection was told, a crash in the log comes first, with its owner', (t) => {
  const logPath = path.join(temporaryDirectory(t), 'server.log');
  // As versions before 14 do it with many connections.
  fs.writeFileSync(logPath, [CRASH, ...Array(100).fill(WARNING), ''].join('\n'));
  const told = ['server closed the connection unexpectedly', 'write EPIPE', 'no connection'];
  for (const text of told) {
    const error = withCrash(new RunError(text, { sqlstate: '57P02' }), logPath);
    const named = (owner: string | null) =>
      new StepFailure({}, { cause: error, ownerOf: (pid) => (pid === 71 ? owner : 'nobody') });
    const { message, sqlstate } = named('the deleter of client 1');
    const first = `${CRASH.slice(6)}; ${text}`;
    assert.equal(message.split('\n')[0], `the backend of the deleter of client 1: ${first}`);
    assert.equal(sqlstate, '57P02');
    assert.equal(named(null).message.split('\n')[0], first);
    // An error that is looked at twice says it once.
    assert.equal(withCrash(error, logPath), error);
  }
});

test('an error without a crash in the log stays, but for a lost connection the log is shown', (t) => {
  const logPath = path.join(temporaryDirectory(t), 'server.log');
  fs.writeFileSync(logPath, 'LOG:  ready\n');
  const plain = new RunError('division by zero', { sqlstate: '22012' });
  assert.equal(withCrash(plain, logPath), plain);
  const lost = withCrash(new RunError('Connection reset by peer'), logPath);
  assert.match(String(lost), /Connection reset by peer\n.*server\.log ends with:\nLOG: {2}ready$/);
});
