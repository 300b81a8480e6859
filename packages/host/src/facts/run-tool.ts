import { execFile } from 'node:child_process';
import { plainEnvironment } from '../process.ts';

/** How a short helper program ended. */
export type ToolRun =
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly reason: string }
  | {
      readonly kind: 'ended';
      readonly exitCode: number;
      readonly stdout: string;
      readonly stderr: string;
    };

const TIMEOUT_MS = 5000;

/**
 * Runs a program that ends by itself within 5 s and returns what it printed. Never throws: a program
 * that is not in the system's directories is `missing`, one that could not be started or had to be killed is `failed`.
 */
export function runTool(command: string, args: readonly string[]): Promise<ToolRun> {
  const env = plainEnvironment();
  return new Promise((resolve) => {
    const options = { env, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
    const child = execFile(command, [...args], options, (error, stdout, stderr) => {
      if (error === null) return resolve({ kind: 'ended', exitCode: 0, stdout, stderr });
      if (typeof error.code === 'number') {
        return resolve({ kind: 'ended', exitCode: error.code, stdout, stderr });
      }
      if (error.code === 'ENOENT') return resolve({ kind: 'missing' });
      const reason = error.killed
        ? `no answer within ${TIMEOUT_MS / 1000} s`
        : (error.code ?? `ended by ${error.signal}`);
      resolve({ kind: 'failed', reason });
    });
    child.stdin?.end();
  });
}
