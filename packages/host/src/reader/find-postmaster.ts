import { HostUnreachable } from '../remote/remote-shell.ts';
import type { ReadFiles } from '../sampler/files.ts';
import { type ProcessStat, parseProcessStat } from '../sampler/proc-process.ts';
import { CLK_TCK } from '../sampler/proc-stat.ts';

/** A backend as the server tells of it. */
export interface BackendSeen {
  readonly pid: number;
  /** Seconds since 1970 by the clock of the server's host. */
  readonly startedAt: number;
}

/** The kernel tells the time of boot in whole seconds, and clocks are corrected meanwhile. */
const TOLERANCE_S = 3;

/**
 * Finds the server's main process on a host, as the parent of one of its backends. That a process has the
 * backend's id says little: it must be Postgres, have started when the backend did, and its parent must be
 * Postgres too.
 *
 * @returns null when that backend does not run on this host, or cannot be seen there
 */
export async function findPostmaster(
  readFiles: ReadFiles,
  backend: BackendSeen,
): Promise<ProcessStat | null> {
  try {
    const [stat, own] = await readFiles(['/proc/stat', `/proc/${backend.pid}/stat`]);
    const bootedAt = Number(/^btime (\d+)$/m.exec(stat ?? '')?.[1]);
    const process = parseProcessStat(own ?? '');
    const startedAt = bootedAt + process.startTicks / CLK_TCK;
    if (!(Math.abs(startedAt - backend.startedAt) <= TOLERANCE_S)) return null;
    const [parent] = await readFiles([`/proc/${process.ppid}/stat`]);
    const postmaster = parseProcessStat(parent ?? '');
    return [process, postmaster].every(isPostgres) ? postmaster : null;
  } catch (error) {
    if (error instanceof HostUnreachable) throw error;
    return null;
  }
}

function isPostgres({ command }: ProcessStat): boolean {
  return /postgres|postmaster/.test(command);
}
