import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { turboState } from '../src/facts/cpu.ts';
import { parseCpuinfo } from '../src/facts/cpuinfo.ts';
import { collectHostFacts, runTool } from '../src/facts/index.ts';
import { countList, parseChoice, parseWholeNumber } from '../src/facts/read-file.ts';
import { parseLibc, parseOsRelease } from '../src/facts/system.ts';
import { nameHypervisor } from '../src/facts/virtualisation.ts';

test('the bracketed word of a kernel choice list is the chosen one', () => {
  assert.equal(parseChoice('always [madvise] never'), 'madvise');
  assert.equal(parseChoice('none'), 'none');
  assert.equal(parseChoice('always madvise never'), null);
  assert.equal(parseChoice(null), null);
});

test('kernel CPU lists are counted, other text is not', () => {
  assert.equal(countList('0'), 1);
  assert.equal(countList('0-3,8,10-11'), 7);
  assert.equal(countList(''), null);
  assert.equal(countList('none'), null);
});

test('only whole numbers are numbers', () => {
  assert.equal(parseWholeNumber('-1'), -1);
  assert.equal(parseWholeNumber('<unsupported>'), null);
  assert.equal(parseWholeNumber('1.5'), null);
});

test('turbo is read from the switch that the driver has', () => {
  assert.equal(turboState(1, null), 'off');
  assert.equal(turboState(0, 0), 'on');
  assert.equal(turboState(null, 0), 'off');
  assert.equal(turboState(null, 1), 'on');
  assert.equal(turboState(null, null), null);
});

test('an arm64 core that is not in the table is shown by its numbers', () => {
  const info = parseCpuinfo('processor : 0\nCPU implementer : 0x99\nCPU part : 0x001');
  assert.equal(info.model, 'implementer 0x99 part 0x001');
  assert.equal(info.hypervisor, null);
  assert.equal(info.sockets, null);
});

test('different cores in one machine are all named, and an absent cpuinfo says nothing', () => {
  const big = 'processor : 0\nCPU implementer : 0x41\nCPU part : 0xd0b';
  const little = 'processor : 1\nCPU implementer : 0x41\nCPU part : 0xd03';
  const both = parseCpuinfo(`${big}\n\n${little}`);
  assert.equal(both.model, 'Arm Cortex-A76, Arm Cortex-A53');
  assert.equal(both.processors, 2);
  assert.deepEqual(parseCpuinfo(null), {
    model: null,
    processors: null,
    sockets: null,
    cores: null,
    hypervisor: null,
  });
});

test('the C library is named with its version, or not at all', () => {
  assert.equal(parseLibc('glibc 2.36\n'), 'glibc 2.36');
  assert.equal(parseLibc('musl libc (x86_64)\nVersion 1.2.4_git20230717\n'), 'musl 1.2.4');
  assert.equal(parseLibc('undefined\n'), null);
});

test('os-release without a pretty name gives name and version', () => {
  assert.equal(parseOsRelease('NAME=Arch\nID=arch'), 'Arch');
  assert.equal(parseOsRelease('NAME=\'A B\'\nVERSION_ID="3"'), 'A B 3');
  assert.equal(parseOsRelease('ID=x'), null);
});

test('the signs of a hypervisor are weighed: systemd, Xen, CPU flag, DMI', () => {
  const none = {
    detected: null,
    cpuFlag: null,
    hypervisorType: null,
    vendor: null,
    product: null,
  };
  const ec2 = { ...none, vendor: 'Amazon EC2' };
  const cases = [
    [{ ...none, detected: 'kvm', cpuFlag: false }, 'kvm'],
    [{ ...none, detected: 'none', cpuFlag: true }, 'none'],
    [{ ...none, hypervisorType: 'xen' }, 'xen'],
    [{ ...ec2, cpuFlag: false, product: 'm5.metal' }, 'none'],
    [{ ...ec2, product: 'm7g.large' }, 'amazon'],
    [{ ...ec2, product: 'm7g.metal' }, null],
    [{ ...none, vendor: 'Microsoft Corporation', product: 'Virtual Machine' }, 'microsoft'],
    [{ ...none, vendor: 'Microsoft Corporation', product: 'Surface' }, null],
    [{ ...none, cpuFlag: true }, 'unknown hypervisor'],
    [none, null],
  ] as const;
  for (const [signs, expected] of cases) assert.equal(nameHypervisor(signs), expected);
});

test('facts of this machine agree with what Node knows of it', async () => {
  const facts = await collectHostFacts(process.cwd());
  assert.equal(facts.get('node_version'), process.version);
  for (const [name, value] of facts) {
    assert.match(name, /^[a-z][a-z0-9_]*$/);
    assert.notEqual(value, '', name);
    assert.notEqual(value, undefined, name);
  }
  if (existsSync('/proc/cpuinfo')) {
    assert.ok((facts.get('logical_cpus') as number) >= availableParallelism());
    assert.ok((facts.get('memory_bytes') as number) > 0);
    assert.equal(typeof facts.get('file_system'), 'string');
  }
});

test('a program that is absent is missing, one that fails keeps its exit code and text', async () => {
  assert.deepEqual(await runTool('ibench-no-such-program', []), { kind: 'missing' });
  const failed = await runTool(process.execPath, ['-e', 'console.error("why"); process.exit(3)']);
  assert.deepEqual(failed, { kind: 'ended', exitCode: 3, stdout: '', stderr: 'why\n' });
  const killed = await runTool(process.execPath, ['-e', 'process.kill(process.pid, "SIGTERM")']);
  assert.deepEqual(killed, { kind: 'failed', reason: 'ended by SIGTERM' });
});
