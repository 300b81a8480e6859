import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from './support.ts';

const CLI = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));

/** What perf 6.1 says, and how it ends, where an ordinary user may not profile: kernel.perf_event_paranoid is 3. */
const REFUSAL = `Error:
Access to performance monitoring and observability operations is limited.
Consider adjusting /proc/sys/kernel/perf_event_paranoid setting to open
access to performance monitoring and observability operations for processes
without CAP_PERFMON, CAP_SYS_PTRACE or CAP_SYS_ADMIN Linux capability.
More information can be found at 'Perf events and tool security' document:
https://www.kernel.org/doc/html/latest/admin-guide/perf-security.html
perf_event_paranoid setting is 3:
  -1: Allow use of (almost) all events by all users
      Ignore mlock limit after perf_event_mlock_kb without CAP_IPC_LOCK
>= 0: Disallow raw and ftrace function tracepoint access
>= 1: Disallow CPU event access
>= 2: Disallow kernel profiling
To make the adjusted perf_event_paranoid setting permanent preserve it
in /etc/sysctl.conf (e.g. kernel.perf_event_paranoid = <setting>)
`;
const REFUSED = 255;

const UNSHARE = 'unshare';

/** First in the path that ibench looks for perf in. */
const FIRST_IN_PATH = '/usr/local/sbin';

/** Runs a program where perf is refused: a stand-in, mounted before it for this program alone. */
function whereRefused(t: TestContext, command: readonly string[]) {
  const bin = path.join(temporaryDirectory(t), 'bin');
  fs.mkdirSync(bin);
  const text = `#!/bin/sh\ncat >&2 <<'END'\n${REFUSAL}END\nexit ${REFUSED}\n`;
  fs.writeFileSync(path.join(bin, 'perf'), text, { mode: 0o755 });
  const script = `mount --bind "$0" ${FIRST_IN_PATH} && exec "$@"`;
  const namespaces = process.getuid?.() === 0 ? '-m' : '-rm';
  const args = [namespaces, '/bin/sh', '-c', script, bin, ...command];
  return spawnSync(UNSHARE, args, { encoding: 'utf8' });
}

test('perf that may not profile is told before anything starts: why, and what to do', (t) => {
  const probe = whereRefused(t, [path.join(FIRST_IN_PATH, 'perf'), 'record']);
  if (probe.status !== REFUSED) {
    t.skip(`not tested here: no stand-in can be mounted: ${probe.stderr ?? probe.error}`);
    return;
  }
  const runs = path.join(temporaryDirectory(t), 'runs');
  const run = ['run', '--preset', 'tiny', '--runs-dir', runs, '--profile', 'perf'];
  const { status, stdout, stderr } = whereRefused(t, [process.execPath, CLI, ...run]);
  const level = fs.readFileSync('/proc/sys/kernel/perf_event_paranoid', 'utf8').trim();
  assert.deepEqual(stderr.trimEnd().split('\n'), [
    `ibench: --profile perf: perf may not profile here (kernel.perf_event_paranoid is ${level}): Access to performance monitoring and observability operations is limited.`,
    'Allow it with sudo sysctl kernel.perf_event_paranoid=1, or run ibench as root; in a container it takes the capability PERFMON',
  ]);
  assert.deepEqual([status, stdout], [2, '']);
  assert.equal(fs.existsSync(runs), false, 'something was made');
});
