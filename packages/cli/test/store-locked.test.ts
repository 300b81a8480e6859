import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { closeStore, openStore } from '@ibench/store';
import Database from 'better-sqlite3';
import { startRun, temporaryDirectory, until } from './support.ts';

test('a run that waits for its store, which another process has locked, says so', async (t) => {
  const runsDirectory = temporaryDirectory(t);
  const file = path.join(runsDirectory, 'ibench.sqlite');
  closeStore(openStore(file));
  const other = new Database(file);
  t.after(() => other.close());
  other.exec('BEGIN EXCLUSIVE');
  const run = startRun(t, { runsDirectory });
  await until('it says so', () => /is locked by another program: waiting/.test(run.stderr()));
  other.exec('ROLLBACK');
  await until('the run begins', () => /^ibench: /m.test(run.stderr()));
  process.kill(run.pid, 'SIGINT');
  assert.equal((await run.ended).code, 130, run.stderr());
});
