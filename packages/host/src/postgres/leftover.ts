import fs from 'node:fs';
import path from 'node:path';
import { endProcess, isRunning, processToken } from '../process.ts';

/** What is written beside a run before its server starts, so that a later start can clean up. */
export interface ServerNote {
  readonly runnerPid: number;
  readonly runnerToken: string;
  readonly dataDirectory: string;
  readonly socketDirectory: string;
  /** Keep the data directory even after the run. */
  readonly keepData: boolean;
}

const NOTE = 'server.json';

/** Leaves the note in a run's folder; it is there until the server is known to be gone. */
export function writeServerNote(runDirectory: string, note: ServerNote): void {
  fs.writeFileSync(path.join(runDirectory, NOTE), `${JSON.stringify(note, null, 2)}\n`);
}

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
 */
export async function cleanUpLeftovers(runDirectories: readonly string[]): Promise<Leftover[]> {
  const leftovers: Leftover[] = [];
  for (const runDirectory of runDirectories) {
    const note = readNote(runDirectory);
    if (note === null || isRunning(note.runnerPid, note.runnerToken)) continue;
    const stoppedPid = await stopServerIn(note.dataDirectory);
    if (!note.keepData) fs.rmSync(note.dataDirectory, { recursive: true, force: true });
    fs.rmSync(note.socketDirectory, { recursive: true, force: true });
    removeServerNote(runDirectory);
    leftovers.push({ runDirectory, stoppedPid });
  }
  return leftovers;
}

/** Bounded: nobody waits for the data of a crashed run. */
const LADDER = [
  { signal: 'SIGINT', waitMs: 30_000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

async function stopServerIn(dataDirectory: string): Promise<number | null> {
  const pid = readPostmasterPid(dataDirectory);
  const token = pid === null ? null : processToken(pid);
  if (pid === null || token === null || !isServerOf(pid, dataDirectory)) return null;
  await endProcess(pid, token, LADDER);
  return pid;
}

function readPostmasterPid(dataDirectory: string): number | null {
  try {
    const text = fs.readFileSync(path.join(dataDirectory, 'postmaster.pid'), 'utf8');
    const pid = Number.parseInt(text, 10);
    return Number.isInteger(pid) && pid > 1 ? pid : null;
  } catch {
    return null;
  }
}

/** The pid in the file can be someone else's by now: only a process started on this directory counts. */
function isServerOf(pid: number, dataDirectory: string): boolean {
  try {
    const args = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return args[1] === '-D' && args[2] === dataDirectory;
  } catch {
    return false;
  }
}

function readNote(runDirectory: string): ServerNote | null {
  try {
    return JSON.parse(fs.readFileSync(path.join(runDirectory, NOTE), 'utf8')) as ServerNote;
  } catch {
    return null;
  }
}
