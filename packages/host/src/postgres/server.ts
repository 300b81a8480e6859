import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunError } from '@ibench/core';
import { abortable } from '../abortable.ts';
import type { Build } from '../builds/build.ts';
import { plainEnvironment, processToken } from '../process.ts';
import type { ClusterOptions } from './cluster.ts';
import { endServerProcesses, type Ladder } from './server-processes.ts';

/** A running server process. */
export interface ServerProcess {
  readonly pid: number;
  /** See processToken. */
  readonly token: string;
  readonly logPath: string;
  /** Fulfilled with words on how it ended, whenever that is. */
  readonly exited: Promise<string>;
  /** Fast shutdown, then immediate, then SIGKILL; each with a bounded wait. Throws when nothing helps. */
  stop(hurry?: boolean): Promise<void>;
}

/** How long a start may take: recovery is not involved, the data directory is new. */
const START_TIMEOUT_MS = 60_000;

/** Of a run that did not succeed nobody needs the data, so nothing is waited for long. */
export const HURRIED_LADDER: Ladder = [
  { signal: 'SIGINT', waitMs: 5000 },
  { signal: 'SIGQUIT', waitMs: 5000 },
  { signal: 'SIGKILL', waitMs: 5000 },
];

/** Fast shutdown writes a checkpoint, which can take long with much in memory. */
const STOP_LADDER: Ladder = [
  { signal: 'SIGINT', waitMs: 300_000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 10_000 },
];

/**
 * Starts postgres itself, not through pg_ctl, in a process group of its own, and waits until it accepts
 * connections.
 *
 * @param logPath its standard error is appended here
 * @throws RunError with the log's last lines when it cannot start
 */
export async function startServer(
  options: ClusterOptions,
  logPath: string,
): Promise<ServerProcess> {
  const { build, user, dataDirectory, signal } = options;
  const log = fs.openSync(logPath, 'a');
  const child = spawn(path.join(build.root, 'bin', 'postgres'), ['-D', dataDirectory], {
    cwd: dataDirectory,
    stdio: ['ignore', log, log],
    env: plainEnvironment(),
    detached: true,
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  });
  fs.closeSync(log);
  const exited = exitOf(child);
  const pid = child.pid;
  const token = pid === undefined ? null : processToken(pid);
  if (pid === undefined || token === null) {
    throw startFailure(build, logPath, `did not start: ${await exited}`);
  }
  const stop = async (hurry = false): Promise<void> => {
    if (!(await endServerProcesses(dataDirectory, hurry ? HURRIED_LADDER : STOP_LADDER, signal))) {
      throw new RunError(
        `the server (pid ${pid}) does not end: its data stays in ${dataDirectory}`,
      );
    }
    await exited;
  };
  try {
    await abortable(waitUntilReady(dataDirectory, exited), signal);
  } catch (error) {
    await stop(true);
    signal?.throwIfAborted();
    throw startFailure(build, logPath, (error as Error).message);
  }
  return { pid, token, logPath, exited, stop };
}

function startFailure({ name }: Build, logPath: string, what: string): RunError {
  return new RunError(`${name} ${what}${logTail(logPath)}`);
}

/** The last lines of the server's log as part of a message; nothing where there is no log to read. */
export function logTail(logPath: string | null, lines = 10): string {
  if (logPath === null) return '';
  try {
    const text = readEnd(logPath).trimEnd();
    return `\n${logPath} ends with:\n${text.split('\n').slice(-lines).join('\n')}`;
  } catch (error) {
    return `\n(${logPath} cannot be read: ${(error as Error).message})`;
  }
}

/** More than the lines that are shown need; a log can have gigabytes. */
const END_BYTES = 64 * 1024;

function readEnd(file: string): string {
  const fd = fs.openSync(file, 'r');
  try {
    const { size } = fs.fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, END_BYTES));
    const read = fs.readSync(fd, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8', 0, read);
  } finally {
    fs.closeSync(fd);
  }
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) =>
      resolve(signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`),
    );
  });
}

/** The eighth line of postmaster.pid is the server's state, as pg_ctl reads it. */
async function waitUntilReady(dataDirectory: string, exited: Promise<string>): Promise<void> {
  let ended: string | null = null;
  void exited.then((how) => {
    ended = how;
  });
  const until = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < until) {
    if (ended !== null) throw new Error(`did not start: ${ended}`);
    if (readState(dataDirectory) === 'ready') return;
    await sleep(20);
  }
  throw new Error(`did not accept connections within ${START_TIMEOUT_MS / 1000} s`);
}

function readState(dataDirectory: string): string | undefined {
  try {
    return fs
      .readFileSync(path.join(dataDirectory, 'postmaster.pid'), 'utf8')
      .split('\n')[7]
      ?.trim();
  } catch {
    return undefined;
  }
}
