import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { STEP_NAMES } from '@ibench/core';
import { Random } from '@ibench/core/worker';
import { defaultBuildsDirectory, installNpmBuild } from '@ibench/host';
import { leftoversOf, rowsOf, startPlan, type TestPlan, testPlan } from './plan-support.ts';
import { until } from './support.ts';

const VERSIONS = ['12.22', '15.17', '17.9', '18.4'];
const REPEATS = 2;
const ALL_STEPS = VERSIONS.length * REPEATS * STEP_NAMES.length;

/** Where to kill, as drawn from a seed: after so many steps, and so much later. */
interface KillPoint {
  readonly afterSteps: number;
  readonly laterMs: number;
}

test('a plan over four versions that is killed twice does the same runs as one that is not', async (t) => {
  const buildsDirectory = defaultBuildsDirectory(process.env);
  for (const version of VERSIONS) await installNpmBuild(version, { buildsDirectory });
  const plan = testPlan(
    t,
    `name: majors
builds: [${VERSIONS.map((version) => `pg${version}`).join(', ')}]
configs: [base]
settings: {shared_buffers: 32MB, fsync: false}
repeats: ${REPEATS}
`,
  );
  const [first, second] = killPoints(t);
  await killAt(t, plan, 'run', first);
  await killAt(t, plan, 'resume', second);
  const last = startPlan(t, plan, 'resume');
  assert.deepEqual(await last.ended, { code: 0, signal: null }, last.stderr());

  const tags = VERSIONS.map((version) => `pg${version}.base`);
  const runs = rowsOf(plan, 'SELECT * FROM plan_runs ORDER BY started_at');
  const done = runs.filter(({ status }) => status === 'done');
  const expected = [...tags.map((tag) => [tag, 1]), ...tags.toReversed().map((tag) => [tag, 2])];
  assert.deepEqual(
    done.map(({ tag, repeat }) => [String(tag).replace(/,.*/, ''), repeat]),
    expected,
  );
  const broken = runs.filter(({ status }) => status !== 'done');
  assert.ok(broken.length <= 2, JSON.stringify(broken));
  for (const { status, reason } of broken) {
    assert.equal(status, 'crashed');
    assert.match(String(reason), /^the runner \(pid \d+\) ended without finishing the run$/);
  }
  for (const { run_id } of done) {
    const steps = rowsOf(
      plan,
      `SELECT step FROM metrics WHERE run_id = '${run_id}' AND seconds > 0`,
    );
    assert.deepEqual(
      steps.map(({ step }) => step),
      STEP_NAMES,
    );
  }
  assert.deepEqual(rowsOf(plan, 'SELECT status FROM plans'), [{ status: 'done' }]);
  for (const tag of tags) assert.ok(last.stdout().includes(tag), last.stdout());
  assert.match(last.stdout(), /^What differs between the runs$/m);
  assert.deepEqual(leftoversOf(plan), []);
});

function killPoints(t: TestContext): [KillPoint, KillPoint] {
  const seed = Number(process.env.IBENCH_TEST_SEED ?? Date.now() % 1_000_000);
  t.diagnostic(`seed ${seed} (IBENCH_TEST_SEED)`);
  const random = new Random();
  random.seed(seed, 1, 1);
  const first = random.below(ALL_STEPS / 2);
  const second = first + 1 + random.below(ALL_STEPS - first - STEP_NAMES.length);
  const points = [first, second].map((afterSteps) => ({ afterSteps, laterMs: random.below(1500) }));
  for (const { afterSteps, laterMs } of points) {
    t.diagnostic(`killed ${laterMs} ms after ${afterSteps} of ${ALL_STEPS} steps`);
  }
  return points as [KillPoint, KillPoint];
}

async function killAt(
  t: TestContext,
  plan: TestPlan,
  command: 'run' | 'resume',
  { afterSteps, laterMs }: KillPoint,
): Promise<void> {
  const running = startPlan(t, plan, command);
  const steps = "SELECT count(*) AS n FROM steps WHERE status = 'done'";
  await until(
    `${afterSteps} steps are done`,
    () => running.child.exitCode !== null || Number(rowsOf(plan, steps)[0]?.n) >= afterSteps,
    600_000,
  );
  assert.equal(running.child.exitCode, null, running.stderr());
  await sleep(laterMs);
  running.child.kill('SIGKILL');
  assert.deepEqual(await running.ended, { code: null, signal: 'SIGKILL' }, running.stderr());
}
