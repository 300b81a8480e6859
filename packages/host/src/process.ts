import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Names a process for as long as the machine is up: its start time in clock ticks and the boot. A pid
 * alone can be used again. null: there is no such process.
 */
export function processToken(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${fields[19]}@${boot}`;
  } catch {
    return null;
  }
}

/** Is this very process still running? */
export function isRunning(pid: number, token: string): boolean {
  return processToken(pid) === token;
}

/** The moment that is left of a wait which was to be longer. */
const HURRIED_MS = 5000;

/**
 * Ends one process by id: each signal in turn, waiting for the end after each. Returns true when it is
 * gone. A process id that names another process by now is left alone.
 *
 * @param hurry once it is aborted, each signal is waited for a moment only
 */
export async function endProcess(
  pid: number,
  token: string,
  ladder: readonly { readonly signal: NodeJS.Signals; readonly waitMs: number }[],
  hurry?: AbortSignal,
): Promise<boolean> {
  for (const { signal, waitMs } of ladder) {
    if (!isRunning(pid, token)) return true;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
      throw error;
    }
    const until = performance.now() + waitMs;
    let hurried = Number.POSITIVE_INFINITY;
    while (performance.now() < Math.min(until, hurried)) {
      if (!isRunning(pid, token)) return true;
      if (hurry?.aborted) hurried = Math.min(hurried, performance.now() + HURRIED_MS);
      await sleep(20);
    }
  }
  return !isRunning(pid, token);
}

/** The environment for every program we start: nothing of the user's that changes what it does. */
export function plainEnvironment(): Record<string, string> {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
  };
}
