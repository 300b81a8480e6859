import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { RunError } from '@ibench/core';
import { execa } from 'execa';
import { plainEnvironment } from '../process.ts';

/** What a data directory holds, as one checksum. */
export interface DataDigest {
  /** Over the names and contents of all files. */
  readonly sha256: string;
  /** Total size of the files. */
  readonly bytes: number;
}

/**
 * Reads all of a data directory.
 *
 * @throws RunError for a symbolic link: what it leads to would not be part of a copy
 */
export async function digestData(directory: string): Promise<DataDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  const entries = fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, file: path.join(entry.parentPath ?? entry.path, entry.name) }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
  for (const { entry, file } of entries) {
    if (entry.isSymbolicLink()) {
      throw new RunError(`${file} is a symbolic link; data that is kept must be in one place`);
    }
    const size = entry.isFile() ? fs.statSync(file).size : -1;
    hash.update(`${path.relative(directory, file)}\0${size}\0`);
    if (!entry.isFile()) continue;
    await pipeline(fs.createReadStream(file, { highWaterMark: 1024 * 1024 }), async (chunks) => {
      for await (const chunk of chunks) hash.update(chunk as Buffer);
    });
    bytes += size;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/**
 * Copies a data directory into an empty one, sharing blocks where the file system can, and waits until it
 * is on disk, so that writing it does not disturb what is measured next. The programs work in the copy,
 * where a clean-up looks for them.
 *
 * @param signal ends it early
 * @throws RunError with the words of cp
 */
export async function copyData(from: string, to: string, signal?: AbortSignal): Promise<void> {
  const how = { cwd: to, ...(signal && { cancelSignal: signal }) };
  await tool('cp', ['-a', '--reflink=auto', `${from}/.`, to], how);
  await tool('sync', ['-f', to], how);
}

async function tool(
  program: string,
  args: readonly string[],
  how: { readonly cwd: string; readonly cancelSignal?: AbortSignal },
): Promise<void> {
  const { failed, stderr, shortMessage } = await execa(program, args, {
    env: plainEnvironment(),
    extendEnv: false,
    reject: false,
    ...how,
  });
  how.cancelSignal?.throwIfAborted();
  if (failed) throw new RunError(`${program} ${args.join(' ')} failed: ${stderr || shortMessage}`);
}

/** Where pg_control has the state of the cluster (all versions so far), and `shut down` among its values. */
const STATE_OFFSET = 16;
const SHUT_DOWN = 1;

/** Throws RunError unless the server of this data directory ended in order, with a checkpoint. */
export function checkShutDown(dataDirectory: string): void {
  const file = path.join(dataDirectory, 'global', 'pg_control');
  const state = fs.readFileSync(file).readInt32LE(STATE_OFFSET);
  if (state === SHUT_DOWN) return;
  throw new RunError(
    `the server of ${dataDirectory} did not shut down in order (state ${state} in pg_control, expected ${SHUT_DOWN}): its data cannot be kept`,
  );
}
