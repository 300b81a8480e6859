import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  leftoversOf,
  type PlanCommand,
  rowsOf,
  startPlan,
  type TestPlan,
  testPlan,
} from './plan-support.ts';
import { until } from './support.ts';

test('runs start from the same data, also after the runner is killed twice, and loads count once', async (t) => {
  const plan = testPlan(
    t,
    `name: branches
builds: [embedded]
configs:
  - {config: base, tag: small, settings: {shared_buffers: 32MB}}
  - {config: base, tag: large, settings: {shared_buffers: 64MB}}
repeats: 1
reuse: after l.x
`,
  );
  // First the run that made the data is killed, on its copy, then one that started from it.
  const resumed = await resumeAfterKills(t, plan, ['small', 'large']);
  assert.deepEqual(await resumed.ended, { code: 0, signal: null }, resumed.stderr());
  assert.match(resumed.stderr(), /the data that run \S+ made is still there/);

  const runs = rowsOf(
    plan,
    'SELECT tag, attempt, status, run_id FROM plan_runs ORDER BY started_at',
  );
  assert.deepEqual(
    runs.map(({ tag, attempt, status }) => [tag, attempt, status]),
    [
      ['embedded.small', 1, 'crashed'],
      ['embedded.small', 2, 'done'],
      ['embedded.large', 1, 'crashed'],
      ['embedded.large', 2, 'done'],
    ],
  );
  const source = runs[0]?.run_id;
  const branches = rowsOf(plan, 'SELECT from_run_id, after_step, data_sha256 FROM branches');
  assert.equal(branches.length, 4);
  assert.deepEqual(new Set(branches.map(({ from_run_id }) => from_run_id)), new Set([source]));
  assert.equal(new Set(branches.map(({ data_sha256 }) => data_sha256)).size, 1);

  const last = runs[3]?.run_id;
  const steps = rowsOf(
    plan,
    `SELECT step, status, inherited_from FROM steps WHERE run_id = '${last}'`,
  );
  const inherited = steps.filter(({ status }) => status === 'inherited');
  assert.deepEqual(
    inherited.map(({ step, inherited_from }) => [step, inherited_from]),
    [
      ['l.i0', source],
      ['l.x', source],
    ],
  );
  assert.equal(steps.filter(({ status }) => status === 'done').length, 9);
  const loads = rowsOf(plan, "SELECT run_id FROM metrics WHERE step IN ('l.i0', 'l.x')");
  assert.deepEqual(loads, [{ run_id: source }, { run_id: source }]);
  const rows = rowsOf(plan, `SELECT * FROM table_rows WHERE run_id = '${last}' AND step = 'l.i1'`);
  assert.deepEqual([rows[0]?.rows_before, rows[0]?.rows_after], [20_000, 20_000]);
  const settings = rowsOf(
    plan,
    `SELECT actual FROM settings WHERE run_id = '${last}' AND name = 'shared_buffers'`,
  );
  assert.deepEqual(settings, [{ actual: '8192' }]);
  const tables = resumed.stdout();
  // Marks may stand before a number.
  assert.match(tables, /^embedded\.small +1 +(?:[^\d\s]+ )?\d+ +(?:[^\d\s]+ )?\d+ /m);
  assert.match(tables, /^embedded\.large +1 +inherited +inherited /m);
  assert.deepEqual(tables.match(/(?<=^\* )embedded\.\w+: l\.i0.*$/gm), [
    `embedded.small: l.i0, l.x measured by run ${source}, an earlier attempt at the same repeat, whose data it started from`,
    `embedded.large: l.i0, l.x inherited from run ${source}; they count for embedded.small`,
  ]);
  assert.deepEqual(leftoversOf(plan), []);
});

/** Runs the plan, kills the runner in l.i1 of each of these configs, and goes on each time. */
async function resumeAfterKills(
  t: TestContext,
  plan: TestPlan,
  configs: readonly string[],
): Promise<PlanCommand> {
  let runner = startPlan(t, plan, 'run');
  for (const config of configs) {
    const begun = `SELECT 1 FROM steps WHERE tag LIKE '%.${config}' AND step = 'l.i1'`;
    await until(`${config} works on its copy`, () => rowsOf(plan, begun).at(0), 300_000);
    runner.child.kill('SIGKILL');
    await runner.ended;
    runner = startPlan(t, plan, 'resume');
  }
  return runner;
}
