import fs from 'node:fs';
import path from 'node:path';

/** Leaves a note in a run's folder, for whoever has to clean up after this process. */
export function writeNote(runDirectory: string, name: string, note: object): void {
  const file = path.join(runDirectory, name);
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
}

/** What every note says: which process wrote it. */
export interface Note {
  readonly runnerPid: number;
  readonly runnerToken: string;
}

/**
 * A note, or null where there is none or it is not this user's. Since directories that it names are
 * removed, it must be unmistakably ours: written by this user, in a folder that others cannot change.
 */
export function readOwnNote(runDirectory: string, name: string): Note | null {
  const file = path.join(runDirectory, name);
  const uid = process.getuid?.();
  if (!fs.existsSync(file)) return null;
  for (const place of [runDirectory, file]) {
    const stat = fs.lstatSync(place);
    if (stat.uid !== uid) return null;
    if ((stat.mode & 0o022) !== 0) throw new Error(`others than this user can write ${place}`);
  }
  const note = JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<Note> | null;
  if (typeof note?.runnerPid !== 'number' || typeof note.runnerToken !== 'string') {
    throw new Error('it does not name its runner');
  }
  return note as Note;
}

/** Absent, empty, or with what initdb makes, be it half-made. */
export function isDataDirectory(directory: unknown): boolean {
  if (typeof directory !== 'string' || !path.isAbsolute(directory)) return false;
  const stat = fs.lstatSync(directory, { throwIfNoEntry: false });
  if (stat === undefined) return true;
  if (!stat.isDirectory()) return false;
  const names = fs.readdirSync(directory);
  return names.length === 0 || ['PG_VERSION', 'pg_wal'].some((name) => names.includes(name));
}
