import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

/** A small file system in memory; or why there cannot be one. */
export type SmallDisk =
  | { readonly kind: 'mounted'; readonly directory: string; unmount(): void }
  | { readonly kind: 'impossible'; readonly why: string };

/** Mounts a tmpfs of this size on a new directory. Only root can, and not in every container. */
export function mountSmallDisk(directory: string, megabytes: number): SmallDisk {
  if (process.getuid?.() !== 0) {
    return { kind: 'impossible', why: 'only root can mount a small file system' };
  }
  fs.mkdirSync(directory);
  const options = `size=${megabytes}m,mode=755`;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'ibench-selftest', directory], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0) {
    const why = (mounted.stderr ?? mounted.error?.message ?? '').trim();
    return { kind: 'impossible', why: `a small file system cannot be mounted: ${why}` };
  }
  return {
    kind: 'mounted',
    directory,
    unmount: () => {
      spawnSync('umount', [directory]);
    },
  };
}
