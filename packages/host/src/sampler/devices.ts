import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '@ibench/core';
import { findMount, type Mount, parseMountInfo } from './mount-info.ts';
import { parseDiskStats } from './proc-diskstats.ts';

/** Where to look; tests give a tree of their own. */
export interface DeviceRoots {
  readonly sys: string;
  readonly proc: string;
  readonly dev: string;
  /** `major:minor` of the file system that holds a path. */
  deviceNumber(path: string): string;
}

/** Block devices under some paths. */
export interface FoundDevices {
  /** Names as in `/proc/diskstats`: whole disks, dm-* and md*; each once, in the order of the paths. */
  readonly devices: readonly string[];
  /** For each path without a device, why. */
  readonly warnings: readonly string[];
}

/**
 * Finds the block devices whose I/O is that of the paths: a partition stands for its disk, device mapper and md for
 * themselves. A path without a block device (tmpfs, zfs, not found) gives a warning and no device.
 */
export function findDevices(
  paths: readonly string[],
  roots: DeviceRoots = HOST_ROOTS,
): FoundDevices {
  const devices = new Set<string>();
  const warnings: string[] = [];
  for (const path of paths) {
    const found = findForPath(path, roots);
    if (typeof found === 'string') warnings.push(`I/O of ${path} is not measured: ${found}`);
    else for (const device of found) devices.add(device);
  }
  return { devices: [...devices], warnings: [...new Set(warnings)] };
}

const HOST_ROOTS: DeviceRoots = {
  sys: '/sys',
  proc: '/proc',
  dev: '/dev',
  deviceNumber: (path) => formatDeviceNumber(statSync(path, { bigint: true }).dev),
};

/** The devices, or why there are none. */
function findForPath(path: string, roots: DeviceRoots): readonly string[] | string {
  let real: string;
  let number: string;
  try {
    real = realpathSync(path);
    number = roots.deviceNumber(real);
  } catch (error) {
    return `cannot look at it (${error instanceof Error ? error.message : String(error)})`;
  }
  // Major 0 is no device: the number was made up by a file system that has several devices or none.
  if (number.startsWith('0:')) return findByMount(real, roots);
  const entry = join(roots.sys, 'dev/block', number);
  if (!existsSync(entry)) return `${entry} does not exist (its device number is ${number})`;
  return [wholeDisk(entry)];
}

function findByMount(path: string, roots: DeviceRoots): readonly string[] | string {
  const mount = findMount(
    parseMountInfo(readFileSync(join(roots.proc, 'self/mountinfo'), 'utf8')),
    path,
  );
  if (mount === null) return 'no mounted file system holds it';
  const upper = mount.options.get('upperdir');
  if (upper !== undefined && existsSync(upper)) return findForPath(upper, roots);
  const what = `it is on ${mount.fileSystem} (mounted at ${mount.mountPoint} from ${mount.source})`;
  const entry = sysEntryOfSource(mount, roots);
  if (entry === null) return `${what}, which has no block device that could be found`;
  return btrfsMembers(basename(realpathSync(entry)), roots) ?? [wholeDisk(entry)];
}

function sysEntryOfSource(mount: Mount, roots: DeviceRoots): string | null {
  if (!mount.source.startsWith('/dev/')) return null;
  const node = join(roots.dev, mount.source.slice('/dev/'.length));
  // /dev/mapper/vg-data and /dev/disk/by-uuid/… are links to the node with the kernel's name.
  const name = basename(existsSync(node) ? realpathSync(node) : node);
  const entry = join(roots.sys, 'class/block', name);
  return existsSync(entry) ? entry : null;
}

/** A btrfs on several devices is mounted from one of them; all its members; null: not btrfs. */
function btrfsMembers(name: string, roots: DeviceRoots): string[] | null {
  const folder = join(roots.sys, 'fs/btrfs');
  if (!existsSync(folder)) return null;
  for (const uuid of readdirSync(folder)) {
    const members = join(folder, uuid, 'devices');
    if (existsSync(join(members, name))) {
      return readdirSync(members).map((member) => wholeDisk(join(members, member)));
    }
  }
  return null;
}

/** Name of the disk that an entry of /sys stands for; the kernel writes `!` for `/` there (`cciss!c0d0`). */
function wholeDisk(entry: string): string {
  const real = realpathSync(entry);
  const disk = existsSync(join(real, 'partition')) ? dirname(real) : real;
  return basename(disk).replaceAll('!', '/');
}

/** Takes a device number apart as glibc's gnu_dev_major and gnu_dev_minor do. */
function formatDeviceNumber(dev: bigint): string {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
  return `${major}:${minor}`;
}

/**
 * Checks that block devices that were named exist.
 *
 * @throws UsageError with those there are
 */
export function checkDevices(names: readonly string[]): void {
  if (names.length === 0) return;
  const known = [...parseDiskStats(readFileSync('/proc/diskstats', 'utf8')).keys()];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(`--device ${unknown}: no such block device (there are ${known.join(', ')})`);
}
