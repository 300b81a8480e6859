import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  backendOf,
  query,
  type Run,
  runRow,
  startRun,
  steps,
  until,
  untilMeasured,
  untilNothingLeft,
  worldOf,
} from './support.ts';

test('a delete backend that stalls holds the inserts within 8 statements, and SIGINT still ends it all', async (t) => {
  const run = startRun(t, { set: { l_i1_rows: 10_000_000 } });
  await untilMeasured(run, 'l.i1');
  const seen = worldOf(run);
  process.kill(await backendOf(run, 'delete'), 'SIGSTOP');
  await until('neither side goes on', () => lastSecond(run) === 0);
  // It may be behind: stopped in the middle, the backend can hold a lock that the inserts wait for.
  const ahead = statements(run, 'insert') - statements(run, 'delete');
  assert.ok(Math.abs(ahead) <= 8, `inserts are ${ahead} statements ahead`);
  process.kill(run.pid, 'SIGINT');
  const ended = await until('the run ends', () => Promise.race([run.ended, null]), 30_000);
  assert.deepEqual(ended, { code: 130, signal: null });
  assert.deepEqual(steps(run), ['l.i0 done', 'l.x done', 'l.i1 interrupted']);
  assert.equal(runRow(run).status, 'interrupted');
  await untilNothingLeft(run, seen);
});

/** Statements of both kinds in the last second that is in the store. */
function lastSecond(run: Run): number {
  const [row] = query(
    run,
    `SELECT sum(ops) AS ops FROM per_second JOIN runs USING (run_id)
     WHERE tag = :tag AND step = 'l.i1' GROUP BY second ORDER BY second DESC LIMIT 1`,
  );
  return Number(row?.ops);
}

function statements(run: Run, kind: string): number {
  const [row] = query(
    run,
    `SELECT sum(ops) AS ops FROM per_second JOIN runs USING (run_id)
     WHERE tag = :tag AND step = 'l.i1' AND kind = '${kind}'`,
  );
  return Number(row?.ops);
}
