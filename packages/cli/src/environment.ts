import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AccessDefaults, defaultBuildsDirectory } from '@ibench/host';
import type { Terminal } from './run/progress.ts';

/** The terminal that lines for a human go to: standard error; a reader that has gone is no reason to stop. */
export function humanTerminal(): Terminal {
  process.stderr.on('error', () => {});
  return {
    write: (text) => {
      process.stderr.write(text);
    },
    isTTY: process.stderr.isTTY === true,
    columns: process.stderr.columns ?? 80,
  };
}

/** Colours on standard output: on a terminal, unless NO_COLOR asks for none (no-color.org). */
export function wantsColour(): boolean {
  return process.stdout.isTTY === true && !process.env.NO_COLOR;
}

/** Writes a result to standard output; a reader that closes early (head) ends the program quietly. */
export function printResult(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') resolve();
      else reject(error);
    });
    process.stdout.write(text, () => resolve());
  });
}

/**
 * Writes a long result to standard output at the pace of its reader, a piece at a time; a reader that
 * closes early (head) ends it quietly.
 */
export async function streamResult(pieces: Generator<string>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces, { highWaterMark: 1 }), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  } finally {
    pieces.return(undefined);
  }
}

/** What a connection string need not say. A password in the environment is not in the list of processes. */
export function connectionDefaults(): AccessDefaults {
  return { user: os.userInfo().username, password: process.env.PGPASSWORD || null };
}

/** Where programs of the user's are looked for, such as compilers. */
export function searchPath(): string {
  return process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin';
}

/** Folder of the registered builds: the one that was named, else IBENCH_BUILDS, else the user's data folder. */
export function buildsDirectory(named: string | undefined): string {
  return named === undefined ? defaultBuildsDirectory(process.env) : path.resolve(named);
}
