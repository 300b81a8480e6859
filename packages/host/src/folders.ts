import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from '@ibench/core';

/**
 * Makes a folder that the user named, with those above it, unless it is there. The only place that does:
 * Node's own way to make several never ends where the file system takes none, as below /proc.
 *
 * @param name the option, or what the folder is
 * @throws UsageError with what is in the way
 */
export function makeFolder(name: string, folder: string): void {
  try {
    makeWithParents(path.resolve(folder));
  } catch (cause) {
    throw notAFolder(name, folder, cause as NodeJS.ErrnoException);
  }
}

/**
 * What is in a folder that the user named; nothing where there is none.
 *
 * @throws UsageError when it is none, or cannot be read
 */
export function readFolder(name: string, folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw notAFolder(name, folder, cause as NodeJS.ErrnoException);
  }
}

function makeWithParents(folder: string): void {
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = path.dirname(folder);
  if (!fs.existsSync(parent)) makeWithParents(parent);
  try {
    fs.mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function notAFolder(name: string, folder: string, cause: NodeJS.ErrnoException): UsageError {
  const expected = 'expected a folder that is there, or can be made, and may be used';
  return new UsageError(`${name} ${folder}: ${expected}: ${whyNot(path.resolve(folder), cause)}`, {
    cause,
  });
}

function whyNot(folder: string, { code, message }: NodeJS.ErrnoException): string {
  const there = nearest(folder);
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return `${there} is not a folder`;
    case 'ENOENT':
      return `no folder can be made in ${there}`;
    case 'EACCES':
    case 'EPERM':
      return `this user may not use ${there}`;
    default:
      return message;
  }
}

/** What is there of a path, as far as it can be seen. */
function nearest(place: string): string {
  return fs.existsSync(place) || place === '/' ? place : nearest(path.dirname(place));
}
