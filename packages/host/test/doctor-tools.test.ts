import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  judgeCounters,
  judgeIostat,
  judgeNode,
  judgePerf,
  judgeVmstat,
  type PerfReading,
} from '../src/doctor/tools.ts';
import type { ToolRun } from '../src/facts/index.ts';

const MISSING: ToolRun = { kind: 'missing' };

function printed(stdout: string, exitCode = 0, stderr = ''): ToolRun {
  return { kind: 'ended', exitCode, stdout, stderr };
}

test('Node 20 and newer is fine', () => {
  assert.equal(judgeNode('v20.0.0').status, 'ok');
  assert.equal(judgeNode('v100.1.0').status, 'ok');
  assert.equal(judgeNode('v18.20.4').status, 'bad');
  assert.equal(judgeNode('nightly').status, 'bad');
});

test('samplers that are absent or broken warn with the package to install', () => {
  assert.equal(
    judgeVmstat(printed('vmstat from procps-ng 4.0.2\n')).found,
    'vmstat from procps-ng 4.0.2',
  );
  assert.match(judgeVmstat(MISSING).advice ?? '', /procps/);
  assert.equal(
    judgeIostat(printed('sysstat version 12.6.1\n(C) S. G.\n')).found,
    'sysstat version 12.6.1',
  );
  // sysstat before 10 prints its version on stderr.
  assert.equal(
    judgeIostat(printed('', 0, 'sysstat version 9.0.4\n')).found,
    'sysstat version 9.0.4',
  );
  assert.match(judgeIostat(MISSING).advice ?? '', /sysstat/);
  assert.equal(judgeIostat(MISSING).status, 'warn');
  assert.match(judgeIostat(printed('', 127, 'libfoo.so: not found\n')).found, /libfoo/);
  assert.match(judgeIostat({ kind: 'failed', reason: 'EACCES' }).found, /EACCES/);
});

const PERF: PerfReading = {
  version: printed('perf version 6.1.1\n'),
  stat: printed('', 0, '123456;;instructions;100000;100.00;;\n'),
  paranoid: 1,
  root: false,
};

test('perf is present, runs, and may profile the kernel', () => {
  assert.equal(judgePerf(PERF).status, 'ok');
  assert.equal(judgePerf({ ...PERF, paranoid: 2 }).status, 'warn');
  assert.match(judgePerf({ ...PERF, paranoid: 2 }).advice ?? '', /perf_event_paranoid=1/);
  assert.equal(judgePerf({ ...PERF, paranoid: 4, root: true }).status, 'ok');
  assert.equal(judgePerf({ ...PERF, paranoid: null }).status, 'unknown');
  assert.match(judgePerf({ ...PERF, version: MISSING }).found, /not installed/);
  const wrapper = printed('', 2, 'WARNING: perf not found for kernel 6.8.0-60\n');
  assert.match(judgePerf({ ...PERF, version: wrapper }).found, /perf not found for kernel/);
});

test('hardware counters are counted, not supported, forbidden or not asked for', () => {
  const counters = (stat: ToolRun | null) => judgeCounters({ ...PERF, stat });
  assert.equal(counters(PERF.stat).status, 'ok');
  // Without kernel profiling perf adds the modifier :u to the event's name.
  assert.equal(counters(printed('', 0, '123456;;instructions:u;9;100.00;;\n')).status, 'ok');
  assert.equal(
    counters(printed('', 0, '<not supported>;;instructions;0;100.00;;\n')).status,
    'warn',
  );
  assert.equal(
    counters(printed('', 0, '<not counted>;;instructions;0;0.00;;\n')).status,
    'unknown',
  );
  assert.equal(counters(printed('', 0, '')).status, 'unknown');
  const forbidden = counters(
    printed('', 255, 'Error:\nNo permission to enable instructions event.\n'),
  );
  assert.equal(forbidden.status, 'warn');
  assert.equal(counters(null).status, 'unknown');
});
