import fs from 'node:fs';
import path from 'node:path';
import { RunError } from '@ibench/core';

/** Where root keeps what another user must reach when the clone is closed to that user. */
export const SYSTEM_STATE = '/var/lib/ibench';

/**
 * Makes a directory that everyone may enter and only root may change, whatever the umask. Programs are
 * run from there, so nobody else may be able to put something in their place.
 *
 * @returns its real path
 * @throws RunError naming a directory on the way that is not root's alone
 */
export function openStateDirectory(directory: string): string {
  makeOpen(directory);
  const real = fs.realpathSync(directory);
  for (let level = real; ; level = path.dirname(level)) {
    const { uid, mode } = fs.lstatSync(level);
    // In a directory such as /tmp, nobody can rename or remove what is another's.
    const isSticky = (mode & 0o1000) !== 0;
    if (uid !== 0 || ((mode & 0o022) !== 0 && !isSticky)) {
      const shown = (mode & 0o7777).toString(8).padStart(4, '0');
      throw new RunError(
        `${level} (owner ${uid}, mode ${shown}) can be changed by others than root, so no program of ${real} can be trusted: make it root's alone (chown root, chmod go-w), or open the clone to the server's user`,
      );
    }
    if (level === path.dirname(level)) return real;
  }
}

function makeOpen(directory: string): void {
  if (fs.existsSync(directory)) return;
  makeOpen(path.dirname(directory));
  try {
    fs.mkdirSync(directory, { mode: 0o755 });
    fs.chmodSync(directory, 0o755);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
