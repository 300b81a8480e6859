import { readNames } from '../facts/index.ts';
import { readProcess } from '../sampler/proc-process.ts';
import type { ServerProcess } from './load.ts';

/** All processes of this host; null where not even process 1 can be seen, so that others may be hidden too. */
export async function readProcesses(proc: string): Promise<readonly ServerProcess[] | null> {
  const pids = (await readNames(proc)).filter((name) => /^\d+$/.test(name)).map(Number);
  try {
    const processes = pids.map((pid) => readProcess(pid, proc)).filter((found) => found !== null);
    return processes.some((found) => found.pid === 1) ? processes : null;
  } catch {
    // EPERM: /proc is mounted with hidepid=1.
    return null;
  }
}
