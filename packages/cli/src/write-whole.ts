import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RunError } from '@ibench/core';

/**
 * Writes pieces of text to a file, at the pace of the disk, and makes its folder. The file has its name
 * only once it is whole.
 *
 * @returns the bytes written
 * @throws RunError when the file cannot be written
 */
export async function writeWhole(file: string, pieces: Generator<string>): Promise<number> {
  const partial = `${file}.partial`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const out = fs.createWriteStream(partial);
    await pipeline(Readable.from(pieces, { highWaterMark: 1 }), out);
    fs.renameSync(partial, file);
    return out.bytesWritten;
  } catch (error) {
    pieces.return(undefined);
    fs.rmSync(partial, { force: true });
    if (!isSystemError(error)) throw error;
    throw new RunError(`cannot write ${file}: ${error.message}`, { cause: error });
  }
}

/** The same with a text that is there at once. */
export function writeWholeText(file: string, text: string): Promise<number> {
  return writeWhole(file, onePiece(text));
}

function* onePiece(text: string): Generator<string> {
  yield text;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
