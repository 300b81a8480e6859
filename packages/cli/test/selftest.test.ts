import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FAULTS } from '../src/selftest/faults.ts';
import { judge } from '../src/selftest/judge.ts';
import { tryFault } from '../src/selftest/try-fault.ts';

const CLI = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));

const never = new AbortController().signal;

const tryOne = (fault: (typeof FAULTS)[number]) =>
  test(`${fault.name}: ${fault.mustSay}`, async (t) => {
    const outcome = await tryFault(fault, never);
    if (outcome.ok === null) t.skip(outcome.said);
    else assert.deepEqual(outcome.problems, [], outcome.said);
  });

describe('a fault made on purpose is told as it must be, without numbers, and leaves nothing', () => {
  describe('two at a time', { concurrency: 2 }, () => {
    for (const fault of FAULTS) if (!fault.alone) tryOne(fault);
  });

  describe('alone', () => {
    for (const fault of FAULTS) if (fault.alone) tryOne(fault);
  });
});

describe('a killed runner after which another one on the host may have cleaned up', () => {
  const fault = FAULTS.find(({ name }) => name === 'kill-runner')!;
  const other = 'another runner works on this host: pid 7 of alice, `ibench run`';
  const marked = 'run r1 is marked as crashed';
  const all = `its server (pid 5) is stopped, its data is removed\n${marked}`;
  for (const [name, said, wrong, ok] of [
    ['proves nothing when this one did not', `${other}\n${marked}`, [], null],
    ['is ok when this one did', `${other}\n${all}`, [], true],
    ['is not ok when something is left', `${other}\n${marked}`, ['left behind: pid 5'], false],
    ['is not ok when there is no other runner', marked, [], false],
  ] as const) {
    test(name, () => {
      const outcome = judge(fault, { said, printed: said, wrong });
      assert.equal(outcome.ok, ok);
      if (ok === null) {
        assert.ok(outcome.said.includes(other));
        assert.deepEqual(outcome.problems, []);
      }
    });
  }

  test('is no excuse for other faults', () => {
    for (const one of FAULTS.filter((each) => each !== fault)) {
      assert.equal(judge(one, { said: '', printed: other, wrong: [] }).ok, false, one.name);
    }
  });
});

test('selftest prints what was done, what had to be said and what was said, and is ok', () => {
  const args = [CLI, 'selftest', '--only', 'wrong-setting'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^ok +wrong-setting .*requested 10kB, the server has 64/m);
  assert.match(stderr, /^ok +wrong-setting \(\d+ s\)$/m);
  assert.match(stderr, /^1 fault in \d+ s$/m);
});

test('a fault that does not exist is refused with those that do', () => {
  const args = [CLI, 'selftest', '--only', 'gremlins'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /--only gremlins: expected one of wrong-setting, kill-pacer, /);
});
