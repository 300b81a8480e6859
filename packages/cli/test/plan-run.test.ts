import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { leftoversOf, rowsOf, startPlan, testPlan } from './plan-support.ts';
import { until } from './support.ts';

const TAKE_OVERS: readonly [command: string, ...args: string[]][] = [
  ['resume'],
  ['run', '--again'],
];

test('a plan whose first run fails: tried again, gone on, interrupted, resumed, listed', async (t) => {
  const plan = testPlan(
    t,
    `name: broken
builds: [embedded]
configs:
  - {config: base, tag: bad, settings: {default_transaction_read_only: true}}
  - {config: base, tag: good, settings: {shared_buffers: 32MB}}
repeats: 1
retries: 1
`,
  );
  const interrupted = startPlan(t, plan, 'run');
  await until(
    'the good run works',
    () => rowsOf(plan, "SELECT 1 FROM steps WHERE tag LIKE '%.good' AND step = 'l.i1'").at(0),
    300_000,
  );
  for (const [command, ...more] of TAKE_OVERS) {
    const second = startPlan(t, plan, command, ...more);
    assert.deepEqual(await second.ended, { code: 2, signal: null }, second.stderr());
    assert.match(second.stderr(), RegExp(`another runner \\(pid ${interrupted.child.pid}\\)`));
  }
  interrupted.child.kill('SIGINT');
  assert.deepEqual(await interrupted.ended, { code: 130, signal: null }, interrupted.stderr());
  assert.match(interrupted.stderr(), /^run 1 of 2: embedded\.bad, repeat 1 — about \d+ \w+ left$/m);
  assert.deepEqual(states(plan), ['bad 1 failed', 'bad 2 failed', 'good 1 interrupted']);
  assert.deepEqual(rowsOf(plan, 'SELECT status FROM plans'), [{ status: 'interrupted' }]);
  assert.deepEqual(leftoversOf(plan), []);

  const status = startPlan(t, plan, 'status', '--format', 'json');
  assert.deepEqual(await status.ended, { code: 0, signal: null }, status.stderr());
  assert.match(status.stdout(), /"interrupted"/);
  assert.match(status.stdout(), /1 run has failed .* --retry-failed"/);

  const again = startPlan(t, plan, 'run');
  assert.equal((await again.ended).code, 2);
  assert.match(
    again.stderr(),
    /was begun at .*, and 0 of 2 runs are done: go on with "ibench plan resume/,
  );

  const text = fs.readFileSync(plan.file, 'utf8');
  fs.writeFileSync(plan.file, text.replace('32MB', '64MB'));
  const changed = startPlan(t, plan, 'resume');
  assert.equal((await changed.ended).code, 2);
  assert.match(changed.stderr(), /config \S+ has changed/);

  fs.writeFileSync(plan.file, `# a comment changes nothing\n${text}`);
  const resumed = startPlan(t, plan, 'resume');
  assert.deepEqual(await resumed.ended, { code: 1, signal: null }, resumed.stderr());
  assert.deepEqual(states(plan), [
    'bad 1 failed',
    'bad 2 failed',
    'good 1 interrupted',
    'good 2 done',
  ]);
  assert.match(resumed.stderr(), /embedded\.bad, repeat 1: failed, /);
  assert.match(resumed.stderr(), /ibench plan resume \S+ --retry-failed$/m);
  assert.match(resumed.stdout(), /embedded\.good/);

  const budget = startPlan(t, plan, 'run', '--again', '--budget', '1s');
  assert.deepEqual(await budget.ended, { code: 3, signal: null }, budget.stderr());
  assert.match(
    budget.stderr(),
    /embedded\.good, repeat 1 is not started: .* of the budget are left/,
  );
  assert.deepEqual(leftoversOf(plan), []);
});

function states(plan: Parameters<typeof rowsOf>[0]): string[] {
  return rowsOf(plan, 'SELECT * FROM plan_runs WHERE edition = 1 ORDER BY ordinal, attempt').map(
    ({ tag, attempt, status }) => `${String(tag).split('.')[1]} ${attempt} ${status}`,
  );
}
