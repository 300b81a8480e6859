import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RunError, type WorkerJob } from '@ibench/core';
import { StepMemoryFile } from '../src/load/step-memory.ts';
import {
  nameOf,
  startWorker,
  WORKER_OPTIONS,
  type WorkerProcess,
} from '../src/load/worker-process.ts';
import { createPipe } from '../src/posix.ts';
import { isRunning, processToken } from '../src/process.ts';
import { makeDirectory, waitFor } from './server-support.ts';

const ENTRY = fileURLToPath(new URL('../../test/fixtures/worker.mjs', import.meta.url));

/** What the worker of the fixture does is the number of its client. */
const ACTS = { works: 1, failsAtOnce: 2, exits: 3, failsLater: 4, waits: 5 } as const;

function start(t: TestContext, act: keyof typeof ACTS) {
  const log = path.join(makeDirectory(t), 'workers.log');
  const job: WorkerJob = {
    role: 'pace',
    client: ACTS[act],
    ordinal: 1,
    parentPid: process.pid,
    blockOffset: 0,
    targetRate: null,
    rowsPerCommit: 1,
    rows: 1,
    deletes: false,
    pacing: 'even',
    place: null,
  };
  const memory = new StepMemoryFile(1);
  const pipe = createPipe();
  const fds = { memory: memory.fd, queue: pipe.write, deleteAcks: pipe.read };
  const worker = startWorker(job, { entry: ENTRY, log }, fds);
  t.after(async () => {
    worker.kill();
    await worker.exited;
    memory.close();
    for (const fd of [pipe.read, pipe.write]) fs.closeSync(fd);
  });
  return { worker, log };
}

const GO = { startNs: 1000, deadlineNs: null };

async function failsWith(promise: Promise<unknown>, message: string, sqlstate?: string) {
  await assert.rejects(promise, (error: Error) => {
    assert.ok(error instanceof RunError);
    assert.deepEqual([error.message, error.sqlstate], [message, sqlstate]);
    return true;
  });
}

test('a worker gets ready, works when told, and stays until it is released', async (t) => {
  const { worker, log } = start(t, 'works');
  const ready = await worker.ready;
  assert.equal(ready.backendPid, 42);
  worker.go(GO);
  const done = await worker.done;
  assert.deepEqual(done, { type: 'done', finishedNs: 1001, cpuUserS: 0.5, cpuSystemS: 0.25 });
  assert.notEqual(processToken(worker.pid), null);
  worker.release();
  await worker.exited;
  assert.equal(processToken(worker.pid), null);
  assert.equal(fs.readFileSync(log, 'utf8'), 'log of the worker\n');
});

test('a worker has its descriptors, a group of its own, and nothing of the user’s environment', async (t) => {
  process.env.PGHOST = 'elsewhere';
  process.env.NODE_OPTIONS = '--no-warnings';
  t.after(() => {
    delete process.env.PGHOST;
    delete process.env.NODE_OPTIONS;
  });
  const { worker } = start(t, 'works');
  const seen = JSON.parse((await worker.ready).library as string);
  const [memory, queue, , , deleteAcks] = seen.links as string[];
  assert.match(memory as string, /^\/memfd:ibench-step/);
  assert.match(queue as string, /^pipe:/);
  assert.equal(deleteAcks, queue, 'two ends of one pipe');
  assert.deepEqual(seen.env, ['LC_ALL', 'PATH', 'TZ']);
  assert.deepEqual(seen.execArgv, [...WORKER_OPTIONS]);
  assert.equal(seen.group, worker.pid);
});

test('a worker that fails says why, and both its promises are broken', async (t) => {
  const { worker } = start(t, 'failsAtOnce');
  const message = 'the pacer of client 2 failed (SQLSTATE 40001): could not serialize';
  await failsWith(worker.ready, message, '40001');
  await failsWith(worker.done, message, '40001');
  await worker.exited;

  const later = start(t, 'failsLater').worker;
  await later.ready;
  later.go(GO);
  await failsWith(later.done, 'the pacer of client 4 failed: no such luck');
});

test('a worker that ends without a word is told by how it ended', async (t) => {
  const silent = start(t, 'exits').worker;
  const how = `(pid ${silent.pid}) ended with exit code 7 before its work was done`;
  await failsWith(silent.ready, `the pacer of client 3 ${how}`);

  const killed = start(t, 'waits').worker;
  await killed.ready;
  killed.kill();
  await failsWith(
    killed.done,
    `the pacer of client 5 (pid ${killed.pid}) was ended by SIGKILL before its work was done`,
  );
  await killed.exited;
});

test('a word to a worker that is gone is no error', async (t) => {
  const { worker } = start(t, 'exits');
  await worker.exited;
  worker.go(GO);
  worker.release();
  worker.kill();
  await failsWith(
    worker.done,
    `the pacer of client 3 (pid ${worker.pid}) ended with exit code 7 before its work was done`,
  );
});

test('a worker that is released before it starts ends by itself', async (t) => {
  const { worker } = start(t, 'waits');
  await worker.ready;
  const token = processToken(worker.pid) as string;
  worker.release();
  await waitFor('the end of the worker', () => !isRunning(worker.pid, token));
  await worker.exited;
});

test('workers are called by what they do', () => {
  const name = (role: string, client: number): string =>
    nameOf({ role, client } as WorkerProcess['job']);
  assert.equal(name('insert', 3), 'the inserter of client 3');
  assert.equal(name('delete', 1), 'the deleter of client 1');
  assert.equal(name('query', 2), 'the querier of client 2');
});
