import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UsageError } from '@ibench/core';

/**
 * Makes a directory for files that are soon removed; the caller removes it.
 *
 * @param purpose a word for its name: `ibench-<purpose>-…`
 * @throws UsageError when none can be made where TMPDIR says
 */
export function makeTemporaryDirectory(purpose: string): string {
  try {
    return fs.mkdtempSync(path.join(os.tmpdir(), `ibench-${purpose}-`));
  } catch (cause) {
    throw new UsageError(
      `no temporary directory can be made in ${os.tmpdir()} (${(cause as Error).message}): set TMPDIR to a directory that you may write to, with space in it`,
      { cause },
    );
  }
}

/** Runs `work` with a temporary directory, which is removed afterwards. @throws UsageError */
export async function inTemporaryDirectory<T>(
  purpose: string,
  work: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = makeTemporaryDirectory(purpose);
  try {
    return await work(directory);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}
