import { bad, type DoctorFinding, ok, unknown, warn } from './finding.ts';
import { formatBytes } from './format-bytes.ts';

const GB = 1024 ** 3;

/** Free bytes for this user in the directory's file system. */
export function judgeFreeDisk(freeBytes: number | null): DoctorFinding {
  const check = 'free disk';
  if (freeBytes === null) return unknown(check, 'the file system does not say');
  const found = `${formatBytes(freeBytes)} free`;
  const advice = 'Free space, or choose a directory on a larger file system.';
  if (freeBytes < 2 * GB) return bad(check, found, advice);
  if (freeBytes < 20 * GB) return warn(check, found, advice);
  return ok(check, found);
}

/** File systems that published results are made on. */
const USUAL: readonly string[] = ['ext4', 'xfs'];

/** Why another file system measures something else. */
const UNUSUAL: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^(overlay|aufs)$/, 'the writable layer of a container, which copies a file on its first write'],
  [/^(tmpfs|ramfs)$/, 'memory: nothing is written to a device and nothing is flushed'],
  [/^(nfs4?|cifs|smb3|9p|ceph|lustre)$/, 'the network and its server are measured along'],
  [/^(virtiofs|fuse(\..+)?|fuseblk)$/, 'each call goes through another process'],
  [/^btrfs$/, 'copy on write: random updates fragment the files, and checksums cost CPU'],
  [/^zfs$/, 'copy on write, with a cache of its own, and iostat does not see its I/O'],
];

/** The file system that holds the data directory. */
export function judgeFileSystem(fileSystem: string | null): DoctorFinding {
  const check = 'file system';
  const advice = 'Put the directory on ext4 or xfs on a local disk, as published results do.';
  if (fileSystem === null) return unknown(check, 'not found in /proc/self/mountinfo');
  if (USUAL.includes(fileSystem)) return ok(check, fileSystem);
  const why = UNUSUAL.find(([pattern]) => pattern.test(fileSystem))?.[1];
  if (why !== undefined) return warn(check, `${fileSystem}: ${why}`, advice);
  return unknown(check, `${fileSystem}: no experience with it`, advice);
}

/** What a mount option does to a benchmark; the first that applies in this order is the finding. */
const OPTIONS: readonly (readonly [option: string, status: 'bad' | 'warn', why: string])[] = [
  ['ro', 'bad', 'nothing can be written'],
  ['nobarrier', 'bad', 'commits do not reach the disk: too fast, and lost at a power failure'],
  ['barrier=0', 'bad', 'commits do not reach the disk: too fast, and lost at a power failure'],
  ['sync', 'warn', 'each write waits for the disk, not only each commit'],
  [
    'data=writeback',
    'warn',
    'data need not be written before its metadata, which is cheaper than the default',
  ],
  ['data=journal', 'warn', 'all data is written twice'],
];

/** Mount options of the data directory, separated by commas. */
export function judgeMountOptions(mountOptions: string | null): DoctorFinding {
  const check = 'mount options';
  if (mountOptions === null) return unknown(check, 'not found in /proc/self/mountinfo');
  const present = mountOptions.split(',');
  const hits = OPTIONS.filter(([option]) => present.includes(option));
  const first = hits[0];
  if (first === undefined) return ok(check, mountOptions);
  const found = hits.map(([option, , why]) => `${option}: ${why}`).join('; ');
  const names = hits.map(([option]) => option).join(', ');
  const advice = `Mount the file system without ${names} (see /etc/fstab).`;
  return first[1] === 'bad' ? bad(check, found, advice) : warn(check, found, advice);
}
