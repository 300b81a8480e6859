import { spawn } from 'node:child_process';
import fs from 'node:fs';
import readline from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunError } from '@ibench/core';

/** A program that is run for long, and what is done with what it says. */
export interface LoggedCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Everything it prints is appended here. */
  readonly log: string;
  /** Told each line. */
  readonly onLine: (line: string) => void;
  /** Ends the program, and everything that it has started, when it is aborted. */
  readonly signal: AbortSignal | undefined;
}

/** How long programs have to end by themselves when they are told to. */
const GRACE_MS = 3000;

/** meson, in Python, holds its lines back in a pipe: then nothing tells of progress, or that the pipe is gone. */
const UNBUFFERED = { PYTHONUNBUFFERED: '1' };

/**
 * Runs a program to its end. It has a process group of its own, so that it can be ended together with what
 * it started; and its output is a pipe of ours, so that it ends soon when we are killed.
 *
 * @returns did it succeed?
 * @throws the signal's reason, RunError when the program cannot be started
 */
export async function runLogged(command: LoggedCommand): Promise<boolean> {
  const { program, args, directory, environment, log, signal } = command;
  signal?.throwIfAborted();
  fs.appendFileSync(log, `$ cd ${directory}\n$ ${[program, ...args].join(' ')}\n`);
  const child = spawn(program, args, {
    cwd: directory,
    env: { ...environment, ...UNBUFFERED },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', (cause) =>
      reject(new RunError(`${program} cannot be started: ${cause.message}`, { cause })),
    );
    child.on('close', resolve);
  });
  for (const stream of [child.stdout, child.stderr]) {
    readline.createInterface({ input: stream }).on('line', (line) => {
      fs.appendFileSync(log, `${line}\n`);
      command.onLine(line);
    });
  }
  const stop = () => void endGroup(child.pid, ended);
  signal?.addEventListener('abort', stop);
  try {
    return (await ended) === 0;
  } finally {
    signal?.removeEventListener('abort', stop);
    signal?.throwIfAborted();
  }
}

async function endGroup(leader: number | undefined, ended: Promise<unknown>): Promise<void> {
  if (leader === undefined) return;
  signalGroup(leader, 'SIGTERM');
  await Promise.race([ended.catch(() => {}), sleep(GRACE_MS)]);
  signalGroup(leader, 'SIGKILL');
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
