import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { RunError } from './ibench.mjs';

/** Full name of a program on PATH, or null. */
export function findProgram(name) {
  for (const directory of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(directory, name);
    try {
      fs.accessSync(file, fs.constants.X_OK);
      if (fs.statSync(file).isFile()) return file;
    } catch {
      // not in this directory
    }
  }
  return null;
}

const TIMED = `TIMEFORMAT='%3R %3U %3S'; time "$0" "$@"`;

/**
 * Runs a program under bash's `time`.
 *
 * @returns its standard output, seconds of wall time, and of CPU time with all its children
 * @throws RunError with its last words when it fails
 */
export async function runTimed(bench, file, args) {
  const { stdout, stderr } = await runProgram(bench, 'bash', ['-c', TIMED, file, ...args]);
  const [wallS, userS, systemS] = stderr.trimEnd().split('\n').at(-1).split(' ').map(Number);
  if (!Number.isFinite(wallS + userS + systemS)) {
    throw new RunError(`${file}: expected three times from bash's time, got ${stderr}`);
  }
  return { stdout, wallS, cpuS: userS + systemS };
}

/**
 * Runs a program to its end, in a process group of its own that ends with the bench.
 *
 * @param fds more descriptors for it, from 3 on
 * @param env more variables for it
 */
export async function runProgram(bench, file, args, { fds = [], env = {} } = {}) {
  bench.signal.throwIfAborted();
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe', ...fds],
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...env },
    cwd: bench.directory,
    detached: true,
  });
  const end = () => killGroup(child.pid);
  bench.signal.addEventListener('abort', end);
  try {
    return await finished(child, `${file} ${args.slice(0, 2).join(' ')} …`);
  } catch (error) {
    bench.signal.throwIfAborted();
    throw error;
  } finally {
    bench.signal.removeEventListener('abort', end);
  }
}

function finished(child, name) {
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) {
    child[stream].setEncoding('utf8').on('data', (text) => {
      printed[stream] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', (cause) =>
      reject(new RunError(`${name}: could not be started: ${cause.message}`, { cause })),
    );
    child.on('close', (code, signal) => {
      if (code === 0) resolve(printed);
      else {
        const words = printed.stderr.trim().split('\n').slice(-6).join('\n');
        reject(new RunError(`${name}: ended with ${signal ?? `exit code ${code}`}\n${words}`));
      }
    });
  });
}

function killGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
