import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from '@ibench/core';
import { makeFolder, type ServerUser } from '@ibench/host';

/** A new run's id and its folder, private to the user (it holds what the server was told). */
export interface RunFolder {
  readonly runId: string;
  readonly directory: string;
}

/**
 * Makes the folder of a run; its name is the run's id: the UTC time of its start and four random digits.
 * It is private, but the server's user may pass through it to the data.
 *
 * @throws UsageError when it cannot be made
 */
export function createRunFolder(
  runsDirectory: string,
  now: Date,
  user: ServerUser | null,
): RunFolder {
  const time = now.toISOString().replaceAll(/[-:]/g, '').slice(0, 15).replace('T', '-');
  const runId = `${time}-${randomBytes(2).toString('hex')}`;
  const directory = path.join(runsDirectory, runId);
  makeFolder('--runs-dir', runsDirectory);
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
    if (user !== null) {
      fs.chownSync(directory, 0, user.gid);
      fs.chmodSync(directory, 0o710);
    }
  } catch (cause) {
    throw new UsageError(
      `the folder ${directory} for this run cannot be made: ${(cause as Error).message}; name another with --runs-dir`,
      { cause },
    );
  }
  return { runId, directory };
}
