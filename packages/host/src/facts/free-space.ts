import { statfs } from 'node:fs/promises';
import path from 'node:path';

/** The disk that a folder is on, or, if it is yet to be made, its nearest parent; bytes. */
export interface DiskSpace {
  readonly totalBytes: number;
  /** What a file there could grow by. */
  readonly freeBytes: number;
}

/** How large the disk of a folder is, and what is free; null where that cannot be known. */
export async function diskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    const { blocks, bavail, bsize } = await statfs(folder);
    return { totalBytes: blocks * bsize, freeBytes: bavail * bsize };
  } catch (error) {
    const parent = path.dirname(folder);
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isAbsent && parent !== folder ? diskSpace(parent) : null;
  }
}

/** Bytes that a file in the folder could grow by; null where that cannot be known. */
export async function freeBytes(folder: string): Promise<number | null> {
  return (await diskSpace(folder))?.freeBytes ?? null;
}
