import { spawn } from 'node:child_process';
import readline from 'node:readline';
import { plainEnvironment } from '../process.ts';

/** How a call of perf ended. */
export interface PerfEnd {
  /** Is perf there? */
  readonly isMissing: boolean;
  readonly exitCode: number | null;
  /** What it said on standard error. */
  readonly said: string;
  /** Did it have to be killed, since it did not finish? */
  readonly isKilled: boolean;
}

export interface PerfCall {
  readonly args: readonly string[];
  /** When it is aborted, perf is asked to finish (SIGINT), and killed where it does not. */
  readonly signal?: AbortSignal | undefined;
  /** @param answer writes to its standard input */
  readonly onLine?: (line: string, answer: (text: string) => void) => void;
}

/** How long perf has to write what it has when it is told to finish. */
export const FINISH_MS = 5000;

/**
 * Runs perf to its end. It has a process group of its own, so that a Ctrl-C reaches us alone and what it starts
 * ends with it. Never throws.
 */
export function runPerf({ args, signal, onLine }: PerfCall): Promise<PerfEnd> {
  return new Promise((resolve) => {
    const child = spawn('perf', args, {
      env: { ...plainEnvironment(), PERF_CONFIG: '/dev/null' },
      stdio: 'pipe',
      detached: true,
    });
    let said = '';
    let isKilled = false;
    let escalation: NodeJS.Timeout | undefined;
    const finish = (): void => {
      child.kill('SIGINT');
      escalation = setTimeout(() => {
        isKilled = true;
        killGroup(child.pid);
      }, FINISH_MS);
    };
    if (signal?.aborted) finish();
    else signal?.addEventListener('abort', finish);
    const lines = readline.createInterface({ input: child.stdout });
    // Who does not read any more is known by its end.
    child.stdin.on('error', () => {});
    lines.on('line', (line) => onLine?.(line, (text) => child.stdin.write(text)));
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const end = (exitCode: number | null, isMissing: boolean): void => {
      clearTimeout(escalation);
      signal?.removeEventListener('abort', finish);
      resolve({ isMissing, exitCode, said: said.trim(), isKilled });
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      said += error.message;
      end(null, error.code === 'ENOENT');
    });
    child.on('close', (exitCode) => end(exitCode, false));
  });
}

function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
