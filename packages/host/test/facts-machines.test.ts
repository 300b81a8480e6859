import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import {
  type HostFacts,
  type HostSource,
  readHostFacts,
  type ToolRun,
} from '../src/facts/index.ts';

const FIXTURES = new URL('../../test/fixtures/facts/', import.meta.url);

/** Unpacks a machine (see fixtures/facts/README.md) and reads its facts for /srv/pg. */
async function factsOf(
  machine: string,
  answers: Readonly<Record<string, ToolRun>> = {},
  dataPath = '/srv/pg',
): Promise<HostFacts> {
  const root = await mkdtemp(join(tmpdir(), 'ibench-facts-'));
  try {
    const archive = await readFile(new URL(machine, FIXTURES), 'utf8');
    const [, ...parts] = archive.split(/^-- (.+) --\n/m);
    for (let i = 0; i < parts.length; i += 2) {
      const path = join(root, parts[i] as string);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, parts[i + 1] as string);
    }
    const source: HostSource = {
      proc: join(root, 'proc'),
      sys: join(root, 'sys'),
      etc: join(root, 'etc'),
      uname: { hostname: 'bench1', kernel: '6.8.0-60-generic', machine: 'x86_64' },
      nodeVersion: 'v20.20.2',
      run: async (command, args) => answers[[command, ...args].join(' ')] ?? { kind: 'missing' },
    };
    return await readHostFacts(dataPath, source);
  } finally {
    await rm(root, { recursive: true });
  }
}

function printed(stdout: string, exitCode = 0, stderr = ''): ToolRun {
  return { kind: 'ended', exitCode, stdout, stderr };
}

test('every fact of a two-socket SMT machine with intel_pstate is read', async () => {
  const facts = await factsOf('intel-two-sockets.txt', {
    'systemd-detect-virt --vm': printed('none\n', 1),
    'systemd-detect-virt --container': printed('none\n', 1),
    'getconf GNU_LIBC_VERSION': printed('glibc 2.39\n'),
  });
  assert.deepEqual(facts, {
    hostname: 'bench1',
    architecture: 'x86_64',
    kernel: '6.8.0-60-generic',
    distribution: 'Ubuntu 24.04.2 LTS',
    libc: 'glibc 2.39',
    node_version: 'v20.20.2',
    hardware_vendor: 'Dell Inc.',
    hardware_product: 'PowerEdge R750',
    virtualised: 'none',
    container: 'none',
    clock_source: 'tsc',
    cpu_model: 'Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz',
    sockets: 2,
    cores: 4,
    logical_cpus: 8,
    smt: 'on',
    cpu_driver: 'intel_pstate',
    governor: 'powersave, performance',
    energy_preference: 'balance_performance',
    turbo: 'on',
    cpu_max_mhz: 3200,
    numa_nodes: 2,
    memory_bytes: 263841736 * 1024,
    swap_bytes: 8388604 * 1024,
    huge_pages: 1024,
    huge_page_bytes: 2 * 1024 ** 2,
    transparent_huge_pages: 'always',
    dirty_background_bytes: 0,
    dirty_background_ratio: 10,
    dirty_bytes: 0,
    dirty_ratio: 20,
    dirty_expire_centisecs: 3000,
    dirty_writeback_centisecs: 500,
    swappiness: 60,
    file_system: 'xfs',
    mount_options: 'rw,noatime,attr2,inode64,noquota',
    mount_source: '/dev/nvme1n1p1',
    mount_point: '/srv',
    device: 'nvme1n1',
    device_members: 'nvme1n1',
    device_model: 'SAMSUNG MZQL23T8HCLS-00A07',
    device_bytes: 7501476528 * 512,
    scheduler: 'none',
    read_ahead_kb: 128,
    rotational: 0,
    write_cache: 'write through',
  });
});

test('a path beside a mount point of similar name belongs to the root, not to that mount', async () => {
  const facts = await factsOf('intel-two-sockets.txt', {}, '/srv2/pg');
  assert.equal(facts.mount_point, '/');
  assert.equal(facts.device_model, 'SAMSUNG MZ7L3480');
});

test('a network mount with a blank in its name is found, read-only, and has no device', async () => {
  const facts = await factsOf('intel-two-sockets.txt', {}, '/mnt/with blank/pg');
  assert.equal(facts.file_system, 'nfs4');
  assert.equal(facts.mount_source, 'files:/export');
  assert.equal(facts.mount_options, 'ro,relatime,vers=4.2');
  assert.equal(facts.device, null);
});

test('an AMD machine with SMT switched off has as many cores as CPUs online, and its RAID names the disks', async () => {
  const facts = await factsOf('amd-smt-off-raid.txt');
  assert.equal(facts.sockets, 1);
  assert.equal(facts.cores, 4);
  assert.equal(facts.logical_cpus, 4);
  assert.equal(facts.smt, 'off');
  assert.equal(facts.cpu_driver, 'acpi-cpufreq');
  assert.equal(facts.governor, 'performance');
  assert.equal(facts.energy_preference, null);
  assert.equal(facts.turbo, 'on');
  assert.equal(facts.clock_source, 'hpet');
  // No hypervisor flag on x86: bare metal, without systemd's help.
  assert.equal(facts.virtualised, 'none');
  assert.equal(facts.container, null);
  assert.equal(facts.libc, null);
  assert.equal(facts.distribution, 'Rocky Linux 9.4');
  assert.equal(facts.device, 'md0');
  assert.equal(facts.device_members, 'nvme0n1, nvme1n1');
  assert.equal(facts.device_model, 'INTEL SSDPE2KX040T8');
  assert.equal(facts.scheduler, 'none');
  assert.equal(facts.mount_options, 'rw,noatime,nobarrier,data=writeback');
});

test('what a virtual machine does not show is null, never a default', async () => {
  const facts = await factsOf('virtual-machine.txt');
  assert.equal(facts.virtualised, 'amazon');
  assert.equal(facts.smt, 'on');
  assert.equal(facts.cores, 1);
  assert.equal(facts.file_system, 'overlay');
  const absent = Object.entries(facts).filter(([, value]) => value === null);
  assert.deepEqual(
    absent.map(([name]) => name),
    [
      'distribution',
      'libc',
      'container',
      'cpu_driver',
      'governor',
      'energy_preference',
      'turbo',
      'cpu_max_mhz',
      'numa_nodes',
      'huge_pages',
      'huge_page_bytes',
      'transparent_huge_pages',
      'dirty_background_bytes',
      'dirty_background_ratio',
      'dirty_bytes',
      'dirty_ratio',
      'dirty_expire_centisecs',
      'dirty_writeback_centisecs',
      'swappiness',
      'device',
      'device_members',
      'device_model',
      'device_bytes',
      'scheduler',
      'read_ahead_kb',
      'rotational',
      'write_cache',
    ],
  );
});

test('an arm64 machine has its core by name, no socket number, and btrfs on LVM leads to the disk', async () => {
  const musl = printed('', 1, 'musl libc (aarch64)\nVersion 1.2.5\nDynamic Program Loader\n');
  const facts = await factsOf('arm.txt', { 'ldd --version': musl });
  assert.equal(facts.cpu_model, 'Arm Neoverse-N1');
  assert.equal(facts.sockets, null);
  assert.equal(facts.cores, 4);
  assert.equal(facts.logical_cpus, 4);
  assert.equal(facts.smt, 'off');
  assert.equal(facts.turbo, null);
  assert.equal(facts.governor, 'schedutil');
  assert.equal(facts.virtualised, null);
  assert.equal(facts.libc, 'musl 1.2.5');
  assert.equal(facts.file_system, 'btrfs');
  assert.equal(facts.device, 'dm-0');
  assert.equal(facts.device_members, 'nvme1n1');
  assert.equal(facts.device_model, 'Micron_9300');
  assert.equal(facts.device_bytes, 1024 ** 3);
});
