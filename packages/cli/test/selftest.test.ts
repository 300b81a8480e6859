import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FAULTS } from '../src/selftest/faults.ts';
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
