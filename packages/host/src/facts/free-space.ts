import { statfs } from 'node:fs/promises';
import path from 'node:path';

/**
 * Bytes that a file in the folder could grow by; of a folder that is yet to be made, on the disk of its
 * nearest parent. Null where that cannot be known.
 */
export async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    const parent = path.dirname(folder);
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isAbsent && parent !== folder ? freeBytes(parent) : null;
  }
}
