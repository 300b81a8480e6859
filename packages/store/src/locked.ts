import Database from 'better-sqlite3';

/** How long another program may hold the file locked before the user is told of it. */
const TELL_AFTER_MS = 1500;

/** What it takes to wait for a lock. */
export interface Waiting {
  readonly path: string;
  readonly db: Database.Database;
  /** Told, once for each wait, that and how long it is waited. */
  readonly say: (text: string) => void;
  /** Longest wait. */
  readonly patienceMs: number;
}

/**
 * Works with the file, waiting while another program has it locked. The wait blocks this process, so it is
 * announced first. The work is done anew then: it must be such that it can be.
 *
 * @param work is told how long to wait where SQLite does not do it
 */
export function waitingForLock<T>(waiting: Waiting, work: (limitMs: number) => T): T {
  const { path, say, patienceMs } = waiting;
  const firstMs = Math.min(TELL_AFTER_MS, patienceMs);
  const restMs = patienceMs - firstMs;
  try {
    return limited(waiting, firstMs, work);
  } catch (error) {
    if (!isLocked(error) || restMs === 0) throw error;
  }
  say(
    `the store ${path} is locked by another program: waiting for it, up to ${Math.round(restMs / 1000)} s more`,
  );
  return limited(waiting, restMs, work);
}

function limited<T>({ db, patienceMs }: Waiting, limitMs: number, work: (limitMs: number) => T): T {
  db.pragma(`busy_timeout = ${limitMs}`);
  try {
    return work(limitMs);
  } finally {
    db.pragma(`busy_timeout = ${patienceMs}`);
  }
}

/** Is it the lock of another program that SQLite complains about? */
export function isLocked(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** What SQLite says, and what to do about it. */
export function storeFault(error: Error): string {
  const hint = isLocked(error)
    ? '; another program holds it locked: end its transaction and try again'
    : '';
  return `${error.message}${hint}`;
}
