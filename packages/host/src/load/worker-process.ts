import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createInterface } from 'node:readline';
import { type Go, RunError, type WorkerJob, type WorkerMessage } from '@ibench/core';
import { plainEnvironment } from '../process.ts';
import { deferred } from './deferred.ts';

export type ReadyMessage = Extract<WorkerMessage, { type: 'ready' }>;
export type DoneMessage = Extract<WorkerMessage, { type: 'done' }>;

/** Descriptors that a worker inherits, in the order of core's FDS. */
export interface WorkerFds {
  readonly memory: number;
  readonly queue?: number | undefined;
  readonly acks?: number | undefined;
  readonly deleteQueue?: number | undefined;
  readonly deleteAcks?: number | undefined;
}

/** Where a worker's program and its log are. */
export interface WorkerFiles {
  /** The client package's main file. */
  readonly entry: string;
  /** File that its standard error is appended to. */
  readonly log: string;
  /** Added to its environment: secrets, which must not be in its arguments. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** One worker process as the runner sees it. */
export interface WorkerProcess {
  readonly job: WorkerJob;
  readonly pid: number;
  /** Fulfilled when it has connected and prepared; rejected with a RunError when it fails before. */
  readonly ready: Promise<ReadyMessage>;
  /** Fulfilled when its work is done; rejected with a RunError when it fails or dies before. */
  readonly done: Promise<DoneMessage>;
  /** Has it reported an error? */
  failed(): boolean;
  /** Fulfilled when the process is gone. */
  readonly exited: Promise<void>;
  go(go: Go): void;
  /** Lets a worker that is done close its connection and end. */
  release(): void;
  kill(): void;
}

/**
 * Options of Node for a worker. A worker makes little garbage and may not pause: a small young
 * generation is collected in little time, and by the worker itself, since on a busy machine it would
 * wait for helper threads that get no CPU. The longest pause falls from 4 … 10 to 1 … 3 ms.
 */
export const WORKER_OPTIONS = ['--single-threaded-gc', '--max-semi-space-size=1'] as const;

/**
 * Starts a worker: Node on an explicit file with explicit arguments and none of this process's Node
 * options, in a process group of its own so that a Ctrl-C in the terminal reaches only the runner.
 */
export function startWorker(job: WorkerJob, files: WorkerFiles, fds: WorkerFds): WorkerProcess {
  const log = fs.openSync(files.log, 'a');
  const inherited = [fds.memory, fds.queue, fds.acks, fds.deleteQueue, fds.deleteAcks];
  const child = spawn(process.execPath, [...WORKER_OPTIONS, files.entry, JSON.stringify(job)], {
    stdio: ['pipe', 'pipe', log, ...inherited.map((fd) => fd ?? ('ignore' as const))],
    env: { ...plainEnvironment(), ...files.environment },
    detached: true,
  });
  fs.closeSync(log);
  return follow(job, child);
}

function follow(job: WorkerJob, child: ChildProcess): WorkerProcess {
  const ready = deferred<ReadyMessage>();
  const done = deferred<DoneMessage>();
  let failed = false;
  const fail = (error: RunError): void => {
    ready.reject(error);
    done.reject(error);
  };
  const exited = new Promise<void>((resolve) => {
    child.on('error', (cause) => {
      fail(new RunError(`${nameOf(job)} could not be started: ${cause.message}`, { cause }));
      resolve();
    });
    child.on('close', (code, signal) => {
      const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
      fail(new RunError(`${nameOf(job)} (pid ${child.pid}) ${how} before its work was done`));
      resolve();
    });
  });
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const message = JSON.parse(line) as WorkerMessage;
    if (message.type === 'ready') ready.resolve(message);
    else if (message.type === 'done') done.resolve(message);
    else {
      failed = true;
      fail(errorOf(job, message));
    }
  });
  child.stdin?.on('error', () => {});
  return {
    job,
    pid: child.pid ?? -1,
    ready: ready.promise,
    done: done.promise,
    failed: () => failed,
    exited,
    go: (go) => child.stdin?.write(`${JSON.stringify(go)}\n`),
    release: () => child.stdin?.end(),
    kill: () => child.kill('SIGKILL'),
  };
}

/** How a worker is called in messages. */
export function nameOf(job: WorkerJob): string {
  const roles = { pace: 'pacer', insert: 'inserter', delete: 'deleter', query: 'querier' } as const;
  return `the ${roles[job.role]} of client ${job.client}`;
}

function errorOf(job: WorkerJob, message: Extract<WorkerMessage, { type: 'error' }>): RunError {
  const state = message.sqlstate === null ? '' : ` (SQLSTATE ${message.sqlstate})`;
  return new RunError(`${nameOf(job)} failed${state}: ${message.message}`, {
    sqlstate: message.sqlstate ?? undefined,
  });
}
