import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from '@ibench/core';
import { endOfLinks, isReplaceable } from './write-whole.ts';

/**
 * Checks that a file, or the files of a folder, can be written where an option says, before there is anything to
 * write. Folders that are missing are made later.
 *
 * @throws UsageError with the option and what is in the way
 */
export function checkTarget(option: string, target: string, kind: 'file' | 'folder'): void {
  try {
    const there = fs.statSync(target, { throwIfNoEntry: false });
    if (kind === 'file' && there?.isDirectory()) {
      throw new UsageError(`${option} ${target}: expected a file, this is a folder`);
    }
    if (kind === 'folder' && there?.isDirectory() === false) {
      throw new UsageError(`${option} ${target}: expected a folder, this is a file`);
    }
    const end = endOfLinks(path.resolve(target));
    if (kind === 'file' && !isReplaceable(end)) {
      fs.accessSync(end, fs.constants.W_OK);
      return;
    }
    const folder = kind === 'folder' ? end : path.dirname(end);
    fs.accessSync(nearestFolder(folder), fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    if (error instanceof UsageError && error.message.startsWith(option)) throw error;
    const { message } = error as Error;
    throw new UsageError(`${option} ${target}: cannot be written: ${message}`, { cause: error });
  }
}

/** The folder, or the nearest one above it that is there. */
function nearestFolder(folder: string): string {
  const there = fs.statSync(folder, { throwIfNoEntry: false });
  if (there === undefined) return nearestFolder(path.dirname(folder));
  if (!there.isDirectory()) throw new UsageError(`${folder} is a file, expected a folder`);
  return folder;
}
