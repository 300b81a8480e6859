import fs from 'node:fs';
import path from 'node:path';
import { isRunning } from '../process.ts';
import { endServerProcesses, findServerProcesses, type Ladder } from './server-processes.ts';

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
  const file = path.join(runDirectory, NOTE);
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
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
  if (!(await endServerProcesses(dataDirectory, LADDER))) {
    throw new Error(`the server in ${dataDirectory} does not end`);
  }
  if (!keepData) fs.rmSync(dataDirectory, { recursive: true, force: true });
  fs.rmSync(socketDirectory, { recursive: true, force: true });
  removeServerNote(runDirectory);
  return processes.find(({ isMain }) => isMain)?.pid ?? null;
}

/**
 * The note, or null where there is none or it is not this user's. Since directories that it names are
 * removed, it must be unmistakably ours: written by this user, in a folder that others cannot change, and
 * naming what a run makes.
 */
function readNote(runDirectory: string): ServerNote | null {
  const file = path.join(runDirectory, NOTE);
  const uid = process.getuid?.();
  if (!fs.existsSync(file)) return null;
  for (const place of [runDirectory, file]) {
    const stat = fs.lstatSync(place);
    if (stat.uid !== uid) return null;
    if ((stat.mode & 0o022) !== 0) throw new Error(`others than this user can write ${place}`);
  }
  const note = JSON.parse(fs.readFileSync(file, 'utf8')) as ServerNote | null;
  if (typeof note?.runnerPid !== 'number' || typeof note.runnerToken !== 'string') {
    throw new Error('it does not name its runner');
  }
  if (!isSocketDirectory(note.socketDirectory)) {
    throw new Error(`no directory for a socket: ${note.socketDirectory}`);
  }
  if (!isDataDirectory(note.dataDirectory)) {
    throw new Error(`no data directory of PostgreSQL: ${note.dataDirectory}`);
  }
  return note;
}

function isSocketDirectory(directory: unknown): boolean {
  return typeof directory === 'string' && /^\/.*\/ibench-\w{6}$/.test(directory);
}

/** Absent, empty, or with what initdb makes, be it half-made. */
function isDataDirectory(directory: unknown): boolean {
  if (typeof directory !== 'string' || !path.isAbsolute(directory)) return false;
  const stat = fs.lstatSync(directory, { throwIfNoEntry: false });
  if (stat === undefined) return true;
  if (!stat.isDirectory()) return false;
  const names = fs.readdirSync(directory);
  return names.length === 0 || ['PG_VERSION', 'pg_wal'].some((name) => names.includes(name));
}
