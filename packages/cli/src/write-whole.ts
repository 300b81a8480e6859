import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RunError } from '@ibench/core';
import { makeFolder } from '@ibench/host';

/** A descriptor of a process, to which `/dev/stdout`, `/dev/fd/N` and `>(command)` lead. */
const DESCRIPTOR = /^\/proc\/[^/]+\/(task\/\d+\/)?fd\/\d+$/;

/**
 * Writes pieces of text to a file, at the pace of the disk, and makes its folder. The file has its name
 * only once it is whole. A symbolic link stays: the file that it leads to is written. Devices, pipes and
 * descriptors take what is written, and are never replaced.
 *
 * @returns the bytes written
 * @throws RunError when the file cannot be written
 */
export async function writeWhole(file: string, pieces: Generator<string>): Promise<number> {
  try {
    const target = endOfLinks(path.resolve(file));
    return isReplaceable(target)
      ? await replace(target, pieces)
      : await stream(pieces, fs.createWriteStream(target, { flags: 'a' }));
  } catch (error) {
    pieces.return(undefined);
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

/**
 * Where the symbolic links of a path lead to, be there something or not. A descriptor is an end: what it
 * is open on may have no name.
 */
export function endOfLinks(file: string): string {
  let end = file;
  for (let links = 0; links < 40; links++) {
    end = withRealFolder(end);
    const there = fs.lstatSync(end, { throwIfNoEntry: false });
    if (there?.isSymbolicLink() !== true || DESCRIPTOR.test(end)) return end;
    end = path.resolve(path.dirname(end), fs.readlinkSync(end));
  }
  // Links in a circle: the system has the words for it.
  return fs.realpathSync(file);
}

function withRealFolder(file: string): string {
  const folder = path.dirname(file);
  return fs.existsSync(folder) ? path.join(fs.realpathSync(folder), path.basename(file)) : file;
}

/** Is it a file, or nothing yet, so that a whole file takes its place? Everything else is written through. */
export function isReplaceable(target: string): boolean {
  if (DESCRIPTOR.test(target)) return false;
  return fs.lstatSync(target, { throwIfNoEntry: false })?.isFile() ?? true;
}

async function replace(target: string, pieces: Generator<string>): Promise<number> {
  makeFolder('the folder', path.dirname(target));
  // A name that nobody else has: this file is overwritten by nobody, and nobody's file by this.
  const partial = `${target}.${randomBytes(6).toString('hex')}.partial`;
  try {
    const bytes = await stream(pieces, fs.createWriteStream(partial, { flags: 'wx' }));
    fs.renameSync(partial, target);
    return bytes;
  } catch (error) {
    fs.rmSync(partial, { force: true });
    throw error;
  }
}

async function stream(pieces: Generator<string>, out: fs.WriteStream): Promise<number> {
  await pipeline(Readable.from(pieces, { highWaterMark: 1 }), out);
  return out.bytesWritten;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
