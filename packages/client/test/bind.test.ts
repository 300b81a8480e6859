import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { bindProcess, bindTask } from '../src/posix.ts';

const status = (task: string): string => fs.readFileSync(`/proc/self/task/${task}/status`, 'utf8');
const allowed = (task: string): string =>
  /^Cpus_allowed_list:\s+(\S+)$/m.exec(status(task))?.[1] ?? '';

test('binding names the process, the CPU and what the kernel says when it does not do it', () => {
  assert.throws(() => bindTask(process.pid, 100_000), /process \d+ .* CPU 100000: .* EINVAL/);
  assert.throws(() => bindTask(2 ** 31 - 1, 0), /process 2147483647 .* CPU 0: .* ESRCH/);
});

test('a process is bound with all its threads', () => {
  const tasks = fs.readdirSync('/proc/self/task');
  assert.ok(tasks.length > 1);
  const cpu = Number.parseInt(allowed(String(process.pid)), 10);
  bindProcess(cpu);
  assert.deepEqual([...new Set(tasks.map(allowed))], [String(cpu)]);
});
