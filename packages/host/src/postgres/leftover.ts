import fs from 'node:fs';
import path from 'node:path';
import { isRunning } from '../process.ts';
import { isDataDirectory, type Note, readOwnNote, writeNote } from './notes.ts';
import { endServerProcesses, findServerProcesses, type Ladder } from './server-processes.ts';
import { areSegments, mappedSegments, removeSharedMemory, type Segment } from './shared-memory.ts';

/** What is written beside a run before its server starts, so that a later start can clean up. */
export interface ServerNote extends Note {
  readonly dataDirectory: string;
  readonly socketDirectory: string;
  /** What the server has in shared memory, as far as it was seen. */
  readonly sharedMemory: readonly Segment[];
  /** Keep the data directory even after the run. */
  readonly keepData: boolean;
}

const NOTE = 'server.json';

/** Leaves the note in a run's folder; it is there until the server is known to be gone. */
export function writeServerNote(runDirectory: string, note: ServerNote): void {
  writeNote(runDirectory, NOTE, note);
}

/** Takes the note away: there is nothing to clean up any more. */
export function removeServerNote(runDirectory: string): void {
  fs.rmSync(path.join(runDirectory, NOTE), { force: true });
}

/** What was cleaned up after a runner that did not end by itself. */
export interface Leftover {
  readonly runDirectory: string;
  /** null: it was already gone. */
  readonly stoppedPid: number | null;
}

/**
 * Finds the servers of runners that are gone, stops them and removes their data.
 *
 * @param runDirectories folders of runs; those without a note, or whose runner still runs, are left alone
 * @param warn is told what cannot be cleaned up, and why; it stays as it is
 */
export async function cleanUpLeftovers(
  runDirectories: readonly string[],
  warn: (text: string) => void = () => {},
): Promise<Leftover[]> {
  const leftovers: Leftover[] = [];
  for (const runDirectory of runDirectories) {
    try {
      const note = readNote(runDirectory);
      if (note === null || isRunning(note.runnerPid, note.runnerToken)) continue;
      leftovers.push({ runDirectory, stoppedPid: await cleanUp(runDirectory, note) });
    } catch (error) {
      warn(`${path.join(runDirectory, NOTE)}: nothing is cleaned up: ${(error as Error).message}`);
    }
  }
  return leftovers;
}

/** Bounded: nobody waits for the data of a crashed run. */
const LADDER: Ladder = [
  { signal: 'SIGINT', waitMs: 30_000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

async function cleanUp(runDirectory: string, note: ServerNote): Promise<number | null> {
  const { dataDirectory, socketDirectory, keepData } = note;
  const processes = findServerProcesses(dataDirectory);
  const sharedMemory = [...note.sharedMemory, ...mappedSegments(dataDirectory)];
  if (!(await endServerProcesses(dataDirectory, LADDER))) {
    throw new Error(`the server in ${dataDirectory} does not end`);
  }
  removeSharedMemory(dataDirectory, sharedMemory);
  if (!keepData) fs.rmSync(dataDirectory, { recursive: true, force: true });
  fs.rmSync(socketDirectory, { recursive: true, force: true });
  removeServerNote(runDirectory);
  return processes.find(({ isMain }) => isMain)?.pid ?? null;
}

/** The note of a server; null where there is none. It must name what a run makes. */
function readNote(runDirectory: string): ServerNote | null {
  const note = readOwnNote(runDirectory, NOTE) as ServerNote | null;
  if (note === null) return null;
  if (!isSocketDirectory(note.socketDirectory)) {
    throw new Error(`no directory for a socket: ${note.socketDirectory}`);
  }
  if (!isDataDirectory(note.dataDirectory)) {
    throw new Error(`no data directory of PostgreSQL: ${note.dataDirectory}`);
  }
  // Those of an older ibench do not say.
  const { sharedMemory = [] } = note;
  if (!areSegments(sharedMemory)) {
    throw new Error(`no shared memory of PostgreSQL: ${JSON.stringify(sharedMemory)}`);
  }
  return { ...note, sharedMemory };
}

function isSocketDirectory(directory: unknown): boolean {
  return typeof directory === 'string' && /^\/.*\/ibench-\w{6}$/.test(directory);
}
