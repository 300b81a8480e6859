import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The program's file. */
export const IBENCH = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));

/** Runs the program to its end. */
export function ibench(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [IBENCH, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
