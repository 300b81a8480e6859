import fs from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { type CanaryFigures, RunError } from '@ibench/core';
import { execa } from 'execa';
import { findMount } from '../facts/mount.ts';
import { plainEnvironment } from '../process.ts';

/** Longer than any disk that a benchmark could run on. */
const TIMEOUT_MS = 30_000;

/** What the canary measured, and where: figures of one place can be compared. */
export interface CanaryReading {
  /** Host and file system. */
  readonly place: string;
  readonly figures: CanaryFigures;
}

/**
 * Has this host do a fixed piece of work, about a second of it, in a process of its own.
 *
 * @param directory on the file system that is asked about
 * @param signal ends it early
 * @throws RunError when it does not end by itself
 */
export async function runCanary(directory: string, signal: AbortSignal): Promise<CanaryReading> {
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  const { stdout, failed, shortMessage, stderr } = await execa(
    process.execPath,
    [main, directory],
    {
      env: plainEnvironment(),
      extendEnv: false,
      reject: false,
      timeout: TIMEOUT_MS,
      cancelSignal: signal,
    },
  );
  signal.throwIfAborted();
  if (failed) throw new RunError(`the canary failed: ${stderr || shortMessage}`);
  return { place: placeOf(directory), figures: JSON.parse(stdout) as CanaryFigures };
}

function placeOf(directory: string): string {
  const mountinfo = fs.readFileSync('/proc/self/mountinfo', 'utf8');
  const mount = findMount(mountinfo, fs.realpathSync(directory));
  return `${os.hostname()} ${mount === null ? directory : `${mount.mountPoint} (${mount.source})`}`;
}
