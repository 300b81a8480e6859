import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type DeviceRoots, findDevices } from '../src/sampler/devices.ts';
import { parseDiskStats } from '../src/sampler/proc-diskstats.ts';

const root = mkdtempSync(join(tmpdir(), 'devices-'));
after(() => rmSync(root, { recursive: true }));

// Devices as the kernel lays them out: a partition is a folder inside its disk's.
addDevice('8:0', 'block/sda');
addDevice('8:2', 'block/sda/sda2', { partition: true });
addDevice('259:1', 'block/nvme0n1');
addDevice('259:5', 'block/nvme0n1/nvme0n1p3', { partition: true });
addDevice('253:0', 'virtual/block/dm-0');
addDevice('9:127', 'virtual/block/md127');
addDevice('104:1', 'block/cciss!c0d0/cciss!c0d0p1', { partition: true });
addDevice('8:17', 'block/sdb/sdb1', { partition: true });
mkdirSync(join(root, 'dev/mapper'), { recursive: true });
writeFileSync(join(root, 'dev/dm-0'), '');
symlinkSync('../dm-0', join(root, 'dev/mapper/vg-data'));
const btrfs = join(root, 'sys/fs/btrfs/uuid/devices');
mkdirSync(btrfs, { recursive: true });
symlinkSync('../../../../devices/block/sda/sda2', join(btrfs, 'sda2'));
symlinkSync('../../../../devices/block/sdb/sdb1', join(btrfs, 'sdb1'));

test('a partition stands for its disk, and device mapper and md for themselves', () => {
  const numbers = { data: '259:5', wal: '253:0', more: '9:127', whole: '8:0', old: '104:1' };
  const { paths, roots } = placed(numbers, []);
  assert.deepEqual(findDevices(paths, roots), {
    devices: ['nvme0n1', 'dm-0', 'md127', 'sda', 'cciss/c0d0'],
    warnings: [],
  });
});

test('two paths on one disk give it once', () => {
  const { paths, roots } = placed({ data: '259:5', wal: '259:1' }, []);
  assert.deepEqual(findDevices(paths, roots).devices, ['nvme0n1']);
});

test('a btrfs is found through its mount, with all its devices', () => {
  const { paths, roots, home } = placed({ data: '0:45' }, []);
  writeMounts([
    ['/', 'ext4', '/dev/sdc1', 'rw'],
    [home, 'btrfs', '/dev/sda2', 'rw,subvol=/data'],
  ]);
  assert.deepEqual(findDevices(paths, roots), { devices: ['sda', 'sdb'], warnings: [] });
});

test('a file system without a number of its own is found through a link of device mapper', () => {
  const { paths, roots, home } = placed({ data: '0:46' }, []);
  writeMounts([[home, 'bcachefs', '/dev/mapper/vg-data', 'rw']]);
  assert.deepEqual(findDevices(paths, roots), { devices: ['dm-0'], warnings: [] });
});

test('an overlay whose upper directory can be seen is where that is', () => {
  const { paths, roots, home } = placed({ data: '0:47', upper: '8:2' }, ['data']);
  writeMounts([['/', 'overlay', 'overlay', `rw,lowerdir=/l,upperdir=${join(home, 'upper')}`]]);
  assert.deepEqual(findDevices(paths, roots), { devices: ['sda'], warnings: [] });
});

test('an overlay whose upper directory cannot be seen gives a warning and no device', () => {
  const { paths, roots } = placed({ data: '0:48' }, []);
  writeMounts([['/', 'overlay', 'overlay', 'rw,upperdir=/not/in/this/container']]);
  const { devices, warnings } = findDevices(paths, roots);
  assert.deepEqual(devices, []);
  assert.match(warnings.join(), /is not measured: it is on overlay \(mounted at \/ from overlay\)/);
});

test('tmpfs, the last of several mounts at one place, gives a warning and no device', () => {
  const { paths, roots, home } = placed({ data: '0:49' }, []);
  writeMounts([
    [home, 'btrfs', '/dev/sda2', 'rw'],
    [home.replaceAll('/', '\\057'), 'tmpfs', 'tmpfs', 'rw'],
  ]);
  const { devices, warnings } = findDevices(paths, roots);
  assert.deepEqual(devices, []);
  assert.match(warnings.join(), /it is on tmpfs/);
});

test('a path that does not exist gives a warning that names it', () => {
  const { devices, warnings } = findDevices(['/no/such/data']);
  assert.deepEqual(devices, []);
  assert.match(warnings.join(), /I\/O of \/no\/such\/data is not measured: .*ENOENT/);
});

test('a device number that /sys does not have gives a warning', () => {
  const { paths, roots } = placed({ data: '77:7' }, []);
  assert.match(findDevices(paths, roots).warnings.join(), /dev\/block\/77:7 does not exist/);
});

test('on this host each path has a device with counters, or a warning', () => {
  const { devices, warnings } = findDevices([root, '/']);
  assert.ok(devices.length > 0 || warnings.length > 0);
  const known = parseDiskStats(readFileSync('/proc/diskstats', 'utf8'));
  for (const device of devices) assert.ok(known.has(device), device);
});

function addDevice(number: string, path: string, kind: { partition?: boolean } = {}): void {
  const folder = join(root, 'sys/devices', path);
  mkdirSync(folder, { recursive: true });
  if (kind.partition) writeFileSync(join(folder, 'partition'), '1\n');
  for (const [place, name] of [
    ['sys/dev/block', number],
    ['sys/class/block', path.split('/').at(-1)!],
  ] as const) {
    mkdirSync(join(root, place), { recursive: true });
    symlinkSync(folder, join(root, place, name));
  }
}

/** Folders with the device numbers given; the paths to look for are `only`, or all of them. */
function placed(
  numbers: Record<string, string>,
  only: readonly string[],
): { paths: string[]; roots: DeviceRoots; home: string } {
  const home = mkdtempSync(join(root, 'home-'));
  for (const name of Object.keys(numbers)) mkdirSync(join(home, name));
  const names = only.length > 0 ? only : Object.keys(numbers);
  const deviceNumber = (path: string): string => numbers[path.split('/').at(-1)!]!;
  return {
    home,
    paths: names.map((name) => join(home, name)),
    roots: {
      sys: join(root, 'sys'),
      proc: join(root, 'proc'),
      dev: join(root, 'dev'),
      deviceNumber,
    },
  };
}

function writeMounts(mounts: readonly (readonly [string, string, string, string])[]): void {
  mkdirSync(join(root, 'proc/self'), { recursive: true });
  const lines = mounts.map(
    ([point, type, source, options], index) =>
      `${index} 1 0:${index} / ${point} rw,relatime shared:1 - ${type} ${source} ${options}\n`,
  );
  writeFileSync(join(root, 'proc/self/mountinfo'), lines.join(''));
}
