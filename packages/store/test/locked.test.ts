import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { closeStore, createRun, listRuns, openStore } from '../src/index.ts';
import { newRun, temporaryPath } from './sample.ts';

const HOLDER = fileURLToPath(new URL('../../test/fixtures/hold-lock.mjs', import.meta.url));

/** Another process that has the file locked, until it is killed. */
async function lock(t: TestContext, path: string): Promise<ChildProcess> {
  const holder = spawn(process.execPath, [HOLDER, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  return holder;
}

test('who waits for a file that another process has locked says so, and goes on when it is free', async (t) => {
  const path = temporaryPath(t);
  closeStore(openStore(path));
  let holder = await lock(t, path);
  const said: string[] = [];
  const say = (text: string): void => {
    said.push(text);
    holder.kill('SIGKILL');
  };
  const store = openStore(path, { say });
  t.after(() => closeStore(store));
  assert.match(
    said.join('\n'),
    /^the store .*ibench\.sqlite is locked by another program: waiting/,
  );

  holder = await lock(t, path);
  createRun(store, newRun());
  assert.equal(said.length, 2);
  createRun(store, newRun({ runId: 'r2' }));
  assert.equal(said.length, 2, 'a file that is free is not waited for');
  assert.equal(listRuns(store).length, 2);
});

test('a file that stays locked is an error that says what to do', async (t) => {
  const path = temporaryPath(t);
  closeStore(openStore(path));
  await lock(t, path);
  assert.throws(() => openStore(path, { patienceMs: 0 }), {
    name: 'RunError',
    message: /^cannot open the store .*: database is locked; another program holds it locked: end/,
  });
});
