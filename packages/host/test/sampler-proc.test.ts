import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readOsCounters } from '../src/sampler/os-counters.ts';
import { parseDiskStats, pickDisks } from '../src/sampler/proc-diskstats.ts';
import {
  parseProcessStat,
  parseResident,
  parseRunTime,
  readProcess,
} from '../src/sampler/proc-process.ts';
import {
  ioSamplesBetween,
  PAGE_FILE,
  parseCounters,
  parsePageKb,
  parseVm,
  VM_FILES,
  vmSampleBetween,
} from '../src/sampler/proc-series.ts';
import { parseProcStat } from '../src/sampler/proc-stat.ts';
import {
  addResident,
  readProcessTree,
  readServerCpu,
  residentBytes,
} from '../src/sampler/server-processes.ts';

const STAT = `cpu  1000 200 300 4000 50 6 70 8 90 10
cpu0 500 100 150 2000 25 3 35 4 45 5
cpu1 500 100 150 2000 25 3 35 4 45 5
intr 7000 1 2 3
ctxt 9000
btime 1
procs_running 3
procs_blocked 1
`;

const NEW_DISK = ' 259 0 nvme0n1 100 5 2000 30 200 6 4000 80 1 90 110 10 1 160 20 7 14\n';
const OLD_DISK = '   8 0 sda 1 2 3 4 5 6 7 8 0 9 10\n   8 1 sda1 1 2 3 4\n';

test('CPU times are seconds over all CPUs, and guest time is not counted twice', () => {
  const stat = parseProcStat(STAT);
  assert.deepEqual(stat.cpu, {
    user: 10,
    nice: 2,
    system: 3,
    idle: 40,
    iowait: 0.5,
    irq: 0.06,
    softirq: 0.7,
    steal: 0.08,
  });
  assert.equal(stat.cpus, 2);
  assert.equal(stat.interrupts, 7000);
  assert.equal(stat.contextSwitches, 9000);
});

test('a /proc/stat without its lines is refused', () => {
  assert.throws(() => parseProcStat('cpu0 1 2 3 4\n'), /expected the lines "cpu" and "ctxt"/);
});

test('disk counters that the kernel does not have are null, and partitions of old kernels are no disks', () => {
  const disks = parseDiskStats(OLD_DISK + NEW_DISK);
  assert.deepEqual([...disks.keys()], ['sda', 'nvme0n1']);
  assert.equal(disks.get('sda')?.flushes, null);
  assert.equal(disks.get('sda')?.discards, null);
  assert.equal(disks.get('nvme0n1')?.flushes, 7);
});

test('only the named disks are picked, in the order named', () => {
  const picked = pickDisks(OLD_DISK + NEW_DISK, ['nvme0n1', 'absent', 'sda']);
  assert.deepEqual(
    picked.map((disk) => disk.device),
    ['nvme0n1', 'sda'],
  );
  assert.deepEqual(picked[0], {
    device: 'nvme0n1',
    reads: 100,
    readSectors: 2000,
    readMs: 30,
    writes: 200,
    writeSectors: 4000,
    writeMs: 80,
    flushes: 7,
    flushMs: 14,
  });
});

test('a command with blanks and parentheses does not move the numbers after it', () => {
  const stat = parseProcessStat(
    '42 (a) b (c) S 7 42 42 0 -1 4194560 1 2 3 4 150 250 350 450 20 0 1 0 12345 100 200 300\n',
  );
  assert.deepEqual(stat, {
    pid: 42,
    ppid: 7,
    command: 'a) b (c',
    state: 'S',
    user: 1.5,
    system: 2.5,
    childUser: 3.5,
    childSystem: 4.5,
    startTicks: 12345,
  });
  assert.throws(() => parseProcessStat('42 nothing'), /expected "pid \(command\)/);
});

test('the time on a CPU is in seconds, and absent where the kernel does not count it', () => {
  assert.equal(parseRunTime('1741291 52 1\n'), 0.001741291);
  assert.equal(parseRunTime('0 0 0\n'), null);
});

test('resident memory is in bytes, and absent where the kernel does not split it', () => {
  const text = 'VmRSS:\t 60 kB\nRssAnon:\t 10 kB\nRssFile:\t 20 kB\nRssShmem:\t 30 kB\n';
  assert.deepEqual(parseResident(text), { anon: 10240, file: 20480, shmem: 30720, huge: 0 });
  assert.equal(parseResident(`${text}HugetlbPages:\t 2048 kB\n`)?.huge, 2097152);
  assert.equal(parseResident('VmRSS:\t 60 kB\n'), null);
});

test('memory that processes share counts once, as the process that touched most of it has it', () => {
  const parts = [
    { anon: 1, file: 20, shmem: 100, huge: 0 },
    { anon: 2, file: 10, shmem: 300, huge: 4000 },
  ];
  assert.equal(addResident(parts), 1 + 2 + 20 + 300 + 4000);
  assert.equal(addResident([]), null);
});

test('the counters of this host only go up', () => {
  const devices = [...parseDiskStats(readFileSync('/proc/diskstats', 'utf8')).keys()];
  const before = readOsCounters(devices);
  const after = readOsCounters(devices);
  assert.ok(after.atS > before.atS);
  assert.ok(after.contextSwitches >= before.contextSwitches);
  assert.ok(after.cpu.user >= before.cpu.user && after.cpu.user > 0);
  assert.ok(after.cpus >= 1);
  assert.deepEqual(
    after.disks.map((disk) => disk.device),
    devices,
  );
});

test('a process that does not exist is null', () => {
  assert.equal(readProcess(2 ** 30), null);
  assert.equal(readProcess(process.pid)?.ppid, process.ppid);
  assert.deepEqual(readProcessTree(2 ** 30), []);
  assert.equal(residentBytes(2 ** 30), null);
  assert.throws(() => readServerCpu(2 ** 30), /its postmaster, pid 1073741824, is not running/);
});

test('CPU of a child that lived between two readings is in the difference of the totals', async () => {
  const burn = 'i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done';
  const script = `echo ready; read go; sh -c '${burn}'; echo done; read end; :`;
  const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const pid = await pidAfterLine(parent);
    const before = readServerCpu(pid);
    parent.stdin!.write('\n');
    await once(parent.stdout!, 'data');
    const after = readServerCpu(pid);

    const own = after.byPid.get(pid)!.user - before.byPid.get(pid)!.user;
    const total = after.total.user - before.total.user;
    const waited = readProcess(pid)!.childUser;
    assert.ok(waited > 0);
    assert.ok(Math.abs(total - own - waited) < 1e-9);
    assert.deepEqual([...after.byPid.keys()], [pid]);
  } finally {
    parent.stdin!.end();
    await once(parent, 'close');
  }
});

test('living children are in the tree, with their CPU and memory', async () => {
  const script = 'cat <&3 & cat <&3 & echo ready; wait';
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] });
  try {
    const pid = await pidAfterLine(parent);
    const tree = readProcessTree(pid);
    assert.equal(tree.length, 3);
    assert.ok(tree.slice(1).every((one) => one.ppid === pid));
    assert.deepEqual(
      [...readServerCpu(pid).byPid.keys()].sort(),
      tree.map((one) => one.pid).sort(),
    );
    assert.ok(residentBytes(pid)! > 0);
  } finally {
    (parent.stdio[3] as NodeJS.WritableStream).end();
    await once(parent, 'close');
  }
});

test('samples from /proc have the columns of vmstat and iostat', () => {
  const later = STAT.replace('cpu  1000 200 300 4000', 'cpu  1060 210 320 4090')
    .replace('ctxt 9000', 'ctxt 9500')
    .replace('intr 7000', 'intr 7100');
  const meminfo = parseCounters(
    'MemFree: 5 kB\nBuffers: 6 kB\nCached: 7 kB\nSReclaimable: 1 kB\nSwapTotal: 9 kB\nSwapFree: 4 kB\n',
  );
  const vm = vmSampleBetween(
    {
      stat: parseProcStat(STAT),
      vmstat: parseCounters('pgpgin 10\npgpgout 20\npswpin 1\n'),
      meminfo,
    },
    {
      stat: parseProcStat(later),
      vmstat: parseCounters('pgpgin 30\npgpgout 60\npswpin 3\n'),
      meminfo,
    },
    { seconds: 2, pageKb: 4 },
  );
  const rounded = Object.entries(vm).map(([name, value]) => [name, round(value)]);
  assert.deepEqual(Object.fromEntries(rounded), {
    r: 3,
    b: 1,
    swpd: 5,
    free: 5,
    buff: 6,
    cache: 8,
    si: 4,
    so: null,
    bi: 10,
    bo: 20,
    interrupts: 50,
    cs: 250,
    us: 38.889,
    sy: 11.111,
    idle: 50,
    wa: 0,
    st: 0,
    gu: null,
  });
});

test('disk samples are per second, waits per request, and absent where there was no request', () => {
  const before = parseDiskStats(NEW_DISK);
  const after = parseDiskStats(
    ' 259 0 nvme0n1 100 5 2000 30 220 6 4400 180 1 1090 2110 11 1 176 30 9 20\n',
  );
  const [io] = ioSamplesBetween(before, after, { seconds: 2, devices: ['nvme0n1', 'absent'] });
  assert.deepEqual(io, {
    device: 'nvme0n1',
    readsPerS: 0,
    readKbPerS: 0,
    readAwaitMs: null,
    writesPerS: 10,
    writeKbPerS: 100,
    writeAwaitMs: 5,
    discardsPerS: 0.5,
    discardKbPerS: 4,
    discardAwaitMs: 10,
    flushesPerS: 1,
    flushAwaitMs: 3,
    queueSize: 1,
    utilPct: 50,
  });
});

test('a millisecond counter that started over at 32 bits gives the time that passed', () => {
  const before = parseDiskStats(NEW_DISK.replace(' 80 1 90 ', ' 4294967290 1 90 '));
  const after = parseDiskStats(NEW_DISK.replace(' 200 6 4000 80 1 ', ' 202 6 4000 14 1 '));
  const [io] = ioSamplesBetween(before, after, { seconds: 1, devices: ['nvme0n1'] });
  assert.equal(io?.writeAwaitMs, 10);
  const [back] = ioSamplesBetween(after, before, { seconds: 1, devices: ['nvme0n1'] });
  assert.equal(back?.writesPerS, null);
});

test('a sample read on this host has a value in every column that vmstat prints', () => {
  const read = (path: string): string => readFileSync(path, 'utf8');
  const before = parseVm(VM_FILES.map(read));
  const pageKb = parsePageKb(read(PAGE_FILE));
  const sample = vmSampleBetween(before, parseVm(VM_FILES.map(read)), { seconds: 1, pageKb });
  for (const name of ['r', 'b', 'swpd', 'free', 'cache', 'si', 'bo', 'interrupts', 'cs'] as const) {
    assert.ok(sample[name] !== null && sample[name] >= 0, name);
  }
});

async function pidAfterLine(child: ChildProcess): Promise<number> {
  await once(child.stdout!, 'data');
  return child.pid!;
}

function round(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1000) / 1000;
}
