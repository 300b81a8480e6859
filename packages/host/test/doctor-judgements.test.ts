import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgePath, judgeServerUser, type ServerIdentity } from '../src/doctor/access.ts';
import {
  judgeClockSource,
  judgeGovernor,
  judgeSmt,
  judgeSteal,
  judgeTurbo,
  judgeVirtualised,
} from '../src/doctor/cpu.ts';
import { judgeFileSystem, judgeFreeDisk, judgeMountOptions } from '../src/doctor/disk.ts';
import type { DoctorFinding, DoctorStatus } from '../src/doctor/finding.ts';
import { judgeFlushes, judgeWritable } from '../src/doctor/flush-latency.ts';
import { formatBytes } from '../src/doctor/format-bytes.ts';
import {
  judgeLoad,
  judgeOpenFiles,
  judgeOtherServers,
  parseLoad,
  parseOpenFiles,
} from '../src/doctor/load.ts';
import { judgeSwap, judgeTransparentHugePages } from '../src/doctor/memory.ts';

const GB = 1024 ** 3;

/** Checks status and text of each finding, and that exactly what is wrong comes with advice. */
function expectEach(
  cases: readonly (readonly [finding: DoctorFinding, status: DoctorStatus, found: RegExp])[],
): void {
  for (const [finding, status, found] of cases) {
    assert.equal(finding.status, status, JSON.stringify(finding));
    assert.match(finding.found, found);
    if (status === 'ok') assert.equal(finding.advice, null);
    if (status === 'warn' || status === 'bad') assert.ok(finding.advice, JSON.stringify(finding));
  }
}

test('only the performance governor on all CPUs is fine', () => {
  expectEach([
    [judgeGovernor('performance', 'none'), 'ok', /^performance$/],
    [judgeGovernor('powersave', 'none'), 'warn', /^powersave: /],
    [judgeGovernor('powersave, performance', 'none'), 'warn', /^powersave, performance: /],
    [judgeGovernor(null, 'kvm'), 'unknown', /guest \(kvm\)/],
    [judgeGovernor(null, null), 'unknown', /^not visible here$/],
  ]);
});

test('turbo is to be off, with the command that fits the driver', () => {
  expectEach([
    [judgeTurbo('off', 'intel_pstate'), 'ok', /off/],
    [judgeTurbo('on', 'intel_pstate'), 'warn', /^on: /],
    [judgeTurbo(null, null), 'unknown', /no turbo switch/],
  ]);
  assert.match(judgeTurbo('on', 'intel_cpufreq').advice ?? '', /^echo 1 .*intel_pstate\/no_turbo$/);
  assert.match(judgeTurbo('on', 'acpi-cpufreq').advice ?? '', /^echo 0 .*cpufreq\/boost$/);
});

test('SMT off counts on bare metal only, a guest cannot know', () => {
  expectEach([
    [judgeSmt('off', 'none'), 'ok', /^off$/],
    [judgeSmt('off', null), 'ok', /^off$/],
    [judgeSmt('off', 'kvm'), 'unknown', /guest/],
    [judgeSmt('on', 'kvm'), 'warn', /^on: /],
    [judgeSmt(null, 'none'), 'unknown', /does not say/],
  ]);
});

test('a hypervisor and stolen time are reported', () => {
  const cpu = { user: 60, nice: 0, system: 30, idle: 5000, iowait: 900, irq: 4, softirq: 5 };
  const unused = { user: 0, nice: 0, system: 0, idle: 9, iowait: 0, irq: 0, softirq: 0, steal: 0 };
  expectEach([
    [judgeVirtualised('none'), 'ok', /bare metal/],
    [judgeVirtualised('vmware'), 'warn', /^yes, vmware: /],
    [judgeVirtualised(null), 'unknown', /no sign/],
    // 99 s busy: idle and iowait are not wanted time.
    [judgeSteal({ ...cpu, steal: 1 }), 'ok', /^1\.0% /],
    [judgeSteal({ ...cpu, steal: 11 }), 'warn', /^10\.0% /],
    [judgeSteal(unused), 'unknown', /no CPU time/],
    [judgeSteal(null), 'unknown', /no \/proc\/stat/],
  ]);
});

test('clock sources are fast, slow or not known', () => {
  expectEach([
    [judgeClockSource('tsc'), 'ok', /^tsc$/],
    [judgeClockSource('arch_sys_counter'), 'ok', /^arch_sys_counter$/],
    [judgeClockSource('hpet'), 'bad', /^hpet: /],
    [judgeClockSource('acpi_pm'), 'bad', /^acpi_pm: /],
    [judgeClockSource('xen'), 'warn', /^xen: /],
    [judgeClockSource(null), 'unknown', /does not say/],
  ]);
});

test('transparent huge pages are to be madvise or never', () => {
  expectEach([
    [judgeTransparentHugePages('madvise'), 'ok', /^madvise$/],
    [judgeTransparentHugePages('never'), 'ok', /^never$/],
    [judgeTransparentHugePages('always'), 'warn', /^always: /],
    [judgeTransparentHugePages(null), 'unknown', /none, or/],
  ]);
});

test('swap warns when more than 100 MB of it are in use', () => {
  expectEach([
    [judgeSwap(0, 0), 'ok', /^none$/],
    [judgeSwap(4 * GB, 4 * GB), 'ok', /^0 B of 4\.0 GB in use$/],
    [judgeSwap(4 * GB, 4 * GB - 100 * 1024 ** 2), 'ok', /^100\.0 MB of/],
    [judgeSwap(4 * GB, 3 * GB), 'warn', /^1\.0 GB of 4\.0 GB in use: /],
    [judgeSwap(null, null), 'unknown', /SwapTotal/],
  ]);
});

test('free disk warns below 20 GB and is bad below 2 GB', () => {
  expectEach([
    [judgeFreeDisk(20 * GB), 'ok', /^20\.0 GB free$/],
    [judgeFreeDisk(20 * GB - 1), 'warn', /free$/],
    [judgeFreeDisk(2 * GB), 'warn', /^2\.0 GB free$/],
    [judgeFreeDisk(2 * GB - 1), 'bad', /free$/],
    [judgeFreeDisk(0), 'bad', /^0 B free$/],
    [judgeFreeDisk(null), 'unknown', /does not say/],
  ]);
});

test('file systems other than ext4 and xfs come with the reason', () => {
  expectEach([
    [judgeFileSystem('ext4'), 'ok', /^ext4$/],
    [judgeFileSystem('xfs'), 'ok', /^xfs$/],
    [judgeFileSystem('overlay'), 'warn', /container/],
    [judgeFileSystem('tmpfs'), 'warn', /memory/],
    [judgeFileSystem('nfs'), 'warn', /network/],
    [judgeFileSystem('nfs4'), 'warn', /network/],
    [judgeFileSystem('fuse.sshfs'), 'warn', /another process/],
    [judgeFileSystem('btrfs'), 'warn', /copy on write/],
    [judgeFileSystem('zfs'), 'warn', /copy on write/],
    [judgeFileSystem('bcachefs'), 'unknown', /^bcachefs: /],
    [judgeFileSystem(null), 'unknown', /mountinfo/],
  ]);
});

test('mount options that change durability or write volume are named, the worst decides', () => {
  expectEach([
    [judgeMountOptions('rw,noatime,discard'), 'ok', /^rw,noatime,discard$/],
    [judgeMountOptions('rw,errors=remount-ro'), 'ok', /remount-ro/],
    [judgeMountOptions('rw,data=writeback'), 'warn', /^data=writeback: /],
    [judgeMountOptions('rw,data=writeback,nobarrier'), 'bad', /^nobarrier: .*; data=writeback: /],
    [judgeMountOptions('rw,barrier=0'), 'bad', /^barrier=0: /],
    [judgeMountOptions('ro,relatime'), 'bad', /^ro: /],
    [judgeMountOptions('rw,sync'), 'warn', /^sync: /],
    [judgeMountOptions(null), 'unknown', /mountinfo/],
  ]);
});

test('flushes are judged by their median; p99 is the nearest rank', () => {
  const disk = { virtualised: 'none', writeCache: 'write back' };
  const plp = { virtualised: 'none', writeCache: 'write through' };
  const guest = { virtualised: 'kvm', writeCache: 'write through' };
  const measured = (microseconds: readonly number[]) =>
    ({ kind: 'measured', microseconds }) as const;
  const oneTo200 = Array.from({ length: 200 }, (_, i) => 200 - i);
  expectEach([
    [judgeFlushes(measured(oneTo200), disk), 'ok', /^median 100 µs, p99 198 µs over 200 × /],
    [judgeFlushes(measured([50]), disk), 'ok', /^median 50 µs, p99 50 µs over 1 × /],
    [judgeFlushes(measured([49, 49, 9000]), disk), 'warn', /^median 49 µs, p99 9\.0 ms.*too fast/],
    [judgeFlushes(measured([20]), plp), 'ok', /no volatile cache/],
    [judgeFlushes(measured([20]), guest), 'warn', /too fast/],
    [
      judgeFlushes(measured([12_500]), disk),
      'warn',
      /^median 12\.5 ms.*at most 80 times per second/,
    ],
    [judgeFlushes(measured([]), disk), 'unknown', /no flush/],
    [judgeFlushes({ kind: 'failed', reason: 'ENOSPC' }, disk), 'unknown', /ENOSPC/],
    [judgeWritable(measured([1]), '/d'), 'ok', /^\/d can be written$/],
    [judgeWritable({ kind: 'failed', reason: 'EROFS' }, '/d'), 'bad', /^\/d cannot .*EROFS$/],
  ]);
});

test('load is judged against the number of CPUs, and an idle shell is no load', () => {
  assert.equal(parseLoad('12.34 8.00 4.00 3/1234 5678'), 12.34);
  assert.equal(parseLoad(null), null);
  expectEach([
    [judgeLoad(0.5, 1), 'ok', /^load average 0\.50 on 1 CPUs$/],
    [judgeLoad(0.51, 2), 'warn', /something else/],
    [judgeLoad(6.4, 64), 'ok', /6\.40/],
    [judgeLoad(6.5, 64), 'warn', /6\.50/],
    [judgeLoad(null, 64), 'unknown', /no load average/],
    [judgeLoad(1, null), 'unknown', /CPU count/],
  ]);
});

test('other servers are counted once each, not with their backends', () => {
  const init = { pid: 1, ppid: 0, command: 'systemd' };
  const postmaster = { pid: 10, ppid: 1, command: 'postgres' };
  const backend = { pid: 11, ppid: 10, command: 'postgres' };
  const maria = { pid: 20, ppid: 1, command: 'mariadbd' };
  expectEach([
    [judgeOtherServers([init]), 'ok', /^none running$/],
    [judgeOtherServers([init, backend, postmaster]), 'warn', /^postgres \(pid 10\): /],
    [judgeOtherServers([postmaster, maria]), 'warn', /^postgres \(pid 10\), mariadbd \(pid 20\): /],
    [judgeOtherServers(null), 'unknown', /hides/],
  ]);
});

test('the soft limit of open files is read and judged', () => {
  const limits = (soft: string) =>
    `Limit   Soft Limit   Hard Limit   Units\nMax open files            ${soft}   524288   files\n`;
  assert.equal(parseOpenFiles(limits('1024')), 1024);
  assert.equal(parseOpenFiles(limits('unlimited')), Number.POSITIVE_INFINITY);
  assert.equal(parseOpenFiles('Max processes 5 5 processes'), null);
  expectEach([
    [judgeOpenFiles(256), 'bad', /^256 per process$/],
    [judgeOpenFiles(1024), 'warn', /^1024 per process$/],
    [judgeOpenFiles(4096), 'ok', /^4096 per process$/],
    [judgeOpenFiles(Number.POSITIVE_INFINITY), 'ok', /^unlimited$/],
    [judgeOpenFiles(null), 'unknown', /limits/],
  ]);
});

test('root needs a user to run the server, and that user must exist', () => {
  const ids = { uid: 101, gids: [104] };
  expectEach([
    [judgeServerUser({ kind: 'self', uid: 1000 }), 'ok', /uid 1000/],
    [judgeServerUser({ kind: 'other', user: 'postgres', ids }), 'ok', /^postgres \(uid 101\)$/],
    [judgeServerUser({ kind: 'other', user: 'pg', ids: null }), 'bad', /no such user/],
    [judgeServerUser({ kind: 'nobody' }), 'bad', /refuses/],
    [judgeServerUser({ kind: 'unsupported' }), 'unknown', /no user ids/],
  ]);
});

test('the first directory that the server user cannot enter is named, by the class that applies', () => {
  const step = (mode: number, uid = 0, gid = 0) => ({
    path: `/p${mode.toString(8)}`,
    mode,
    uid,
    gid,
  });
  const postgres: ServerIdentity = {
    kind: 'other',
    user: 'postgres',
    ids: { uid: 101, gids: [104, 110] },
  };
  const root = step(0o40755);
  expectEach([
    [judgePath([root, step(0o41777)], postgres), 'ok', /postgres can enter/],
    [judgePath([root, step(0o40700)], postgres), 'bad', /cannot enter \/p40700 \(mode 0700\)/],
    [judgePath([root, step(0o40700, 101)], postgres), 'ok', /can enter/],
    [judgePath([root, step(0o40710, 0, 110)], postgres), 'ok', /can enter/],
    // The owner's bits apply to the owner even where everybody else may enter.
    [judgePath([root, step(0o40677, 101)], postgres), 'bad', /cannot enter/],
    [judgePath([root, step(0o40707, 0, 104)], postgres), 'bad', /cannot enter/],
    [judgePath([step(0o40700)], { kind: 'self', uid: 1000 }), 'ok', /this user/],
    [judgePath([root], { kind: 'nobody' }), 'unknown', /not known/],
  ]);
});

test('bytes are shown in powers of 1024', () => {
  assert.equal(formatBytes(0), '0 B');
  assert.equal(formatBytes(1023), '1023 B');
  assert.equal(formatBytes(1536), '1.5 kB');
  assert.equal(formatBytes(5000 * 1024 ** 4), '5000.0 TB');
});
