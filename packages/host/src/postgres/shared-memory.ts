import fs from 'node:fs';
import path from 'node:path';
import { removeSystemVSegment } from '../posix.ts';
import { findServerProcesses } from './server-processes.ts';

/**
 * A file of shared memory that a server has made (dynamic_shared_memory_type = posix). Its name is drawn at
 * random, so it says nothing of whose it is, and another server may draw it later; with its inode it is
 * this one.
 */
export interface Segment {
  readonly file: string;
  readonly inode: number;
}

const FILE = /^\/dev\/shm\/PostgreSQL\.\d+$/;

/** The files of shared memory that a server's processes have mapped now; those that cannot be looked into have none. */
export function mappedSegments(dataDirectory: string): Segment[] {
  const segments = new Map<string, Segment>();
  for (const { pid } of findServerProcesses(dataDirectory)) {
    for (const line of readLines(`/proc/${pid}/maps`)) {
      const [, , , , inode, file] = line.split(/\s+/);
      if (file === undefined || !FILE.test(file) || line.endsWith('(deleted)')) continue;
      segments.set(file, { file, inode: Number(inode) });
    }
  }
  return [...segments.values()];
}

/** Is this, from a note, what `mappedSegments` gives? */
export function areSegments(value: unknown): value is Segment[] {
  return (
    Array.isArray(value) &&
    value.every((one) => FILE.test(String(one?.file)) && Number.isSafeInteger(one?.inode))
  );
}

/**
 * Removes the shared memory that a server has left which was killed. None of its processes runs any more.
 *
 * @param segments its files, as far as they were seen
 */
export function removeSharedMemory(dataDirectory: string, segments: readonly Segment[]): void {
  for (const { file, inode } of segments) {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat?.isFile() && stat.ino === inode) fs.rmSync(file, { force: true });
  }
  const id = abandonedId(dataDirectory);
  if (id !== null) removeSystemVSegment(id);
}

/**
 * The System V segment that the server of a data directory made and nobody uses; null where there is none.
 * The server's pid file names it, and goes with it when the server ends in order.
 */
function abandonedId(dataDirectory: string): number | null {
  const lines = readLines(path.join(dataDirectory, 'postmaster.pid'));
  const creator = Number(lines[0]);
  const [key, id] = (lines[6] ?? '').trim().split(/\s+/).map(Number);
  const isAbandoned = readLines('/proc/sysvipc/shm').some((line) => {
    // key shmid perms size cpid lpid nattch …
    const fields = line.trim().split(/\s+/).map(Number);
    const [itsKey, itsId, , , itsCreator, , users] = fields;
    return itsKey === key && itsId === id && itsCreator === creator && users === 0;
  });
  return isAbandoned ? (id as number) : null;
}

function readLines(file: string): string[] {
  try {
    return fs.readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
