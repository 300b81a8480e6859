import fs from 'node:fs';
import path from 'node:path';
import { RunError } from '@ibench/core';
import { humanTerminal, printResult } from './environment.ts';

/**
 * Writes a result to a file and says where and how large; `-` is standard output.
 *
 * @throws RunError for a file that cannot be written
 */
export async function writeResult(out: string, text: string): Promise<void> {
  if (out === '-') return printResult(text);
  const file = path.resolve(out);
  try {
    fs.writeFileSync(file, text);
  } catch (cause) {
    throw new RunError(`cannot write ${file}: ${(cause as Error).message}`, { cause });
  }
  const kilobytes = Math.ceil(Buffer.byteLength(text) / 1024);
  humanTerminal().write(`${file}: ${kilobytes} kB\n`);
}
