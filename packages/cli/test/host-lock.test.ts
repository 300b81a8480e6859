import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runRow, startRun, temporaryDirectory, untilMeasured } from './support.ts';

const IBENCH = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));

test('a second runner is refused while a step runs, and touches nothing', async (t) => {
  const run = startRun(t);
  await untilMeasured(run, 'qr100');
  const directory = temporaryDirectory(t);
  const args = [IBENCH, 'run', '--preset', 'tiny', '--runs-dir', `${directory}/runs`];
  const second = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(second.status, 2);
  assert.equal(second.stdout, '');
  // Those of other tests are named as well.
  const ours = new RegExp(
    `^ibench: another runner works on this host: .*\\bpid ${run.pid} of \\S+, since \\S+: ibench run .*--allow-concurrent.* \\(results in ${run.runsDirectory}/ibench\\.sqlite\\)`,
  );
  assert.match(second.stderr, ours);
  assert.match(second.stderr, /--allow-concurrent if you mean it\n$/);
  assert.equal(fs.existsSync(`${directory}/runs`), false);
  assert.equal(runRow(run).status, 'running');
});
