import { RunError } from '@ibench/core';
import { logTail } from '@ibench/host';

/** A process of the server crashed or was killed, whereupon the postmaster ended all others. */
class ServerCrashed extends RunError {
  override readonly name: string = 'ServerCrashed';
  /** Of the process that was the first to go. */
  readonly pid: number;

  constructor(message: string, pid: number, cause: RunError) {
    super(message, { cause, sqlstate: cause.sqlstate });
    this.pid = pid;
  }
}

/** What a client is told when another process of the server crashed (SQLSTATE), or its own (libpq). */
const CRASH_STATES = new Set(['57P02', '57P03']);
const CRASH_WORDS = /server closed the connection unexpectedly|Connection reset by peer/;

/** The postmaster on a crash: `client backend (PID 7) was terminated by signal 9: Killed`; before 18 `server process`. */
const CRASH_LINE = /[^:\n]+ \(PID (\d+)\) was terminated by signal [^\n]*/;

/** Recovery follows a crash at once, and has a dozen lines of its own. */
const SHOWN_LINES = 25;

/** Before version 14 each backend that has to end has three lines as well. */
const SEARCHED_LINES = 1000;

/**
 * An error with what the server's log says of a crash behind it. Which connection fails first is chance, and
 * none learns which process it was, and how it ended: so this comes first, before what the connection was told.
 */
export function withCrash(error: unknown, logPath: string | null): unknown {
  if (!(error instanceof RunError) || error instanceof ServerCrashed) return error;
  const { message, sqlstate } = error;
  const log = logTail(logPath, SHOWN_LINES);
  const crash = CRASH_LINE.exec(logTail(logPath, SEARCHED_LINES));
  if (crash !== null) {
    return new ServerCrashed(`${crash[0].trim()}; ${message}${log}`, Number(crash[1]), error);
  }
  const isCrash = CRASH_STATES.has(sqlstate ?? '') || CRASH_WORDS.test(message);
  return isCrash ? new RunError(`${message}${log}`, { cause: error, sqlstate }) : error;
}

/** Whose backend it was that crashed, to be put before the error; empty where that is not known. */
export function crashOwner(error: unknown, ownerOf: (pid: number) => string | null): string {
  const owner = error instanceof ServerCrashed ? ownerOf(error.pid) : null;
  return owner === null ? '' : `the backend of ${owner}: `;
}
