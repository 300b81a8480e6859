import fs from 'node:fs';
import path from 'node:path';
import { RunError } from '@ibench/core';
import { humanTerminal, printResult } from './environment.ts';
import { writeWholeText } from './write-whole.ts';

/**
 * Writes a result to a file, which has its name only once it is whole, and says where and how large; `-` is
 * standard output.
 *
 * @throws RunError for a file that cannot be written
 */
export async function writeResult(out: string, text: string): Promise<void> {
  if (out === '-') return printResult(text);
  const file = path.resolve(out);
  const bytes = isDevice(file) ? writeThrough(file, text) : await writeWholeText(file, text);
  humanTerminal().write(`${file}: ${Math.ceil(bytes / 1024)} kB\n`);
}

/** A device or a pipe takes what is written, and must not be replaced by a file. */
function isDevice(file: string): boolean {
  const there = fs.statSync(file, { throwIfNoEntry: false });
  return there !== undefined && !there.isFile() && !there.isDirectory();
}

function writeThrough(file: string, text: string): number {
  try {
    fs.writeFileSync(file, text);
    return Buffer.byteLength(text);
  } catch (cause) {
    throw new RunError(`cannot write ${file}: ${(cause as Error).message}`, { cause });
  }
}
