import os from 'node:os';
import { readText, thisHost } from '../facts/index.ts';
import { otherServers, parseLoad } from './load.ts';
import { readProcesses } from './read-processes.ts';

/** What else goes on on this host; null where it cannot be read. */
export interface HostState {
  /** Processes that run or wait for a disk, averaged over a minute. */
  readonly load: number | null;
  readonly cpus: number;
  /** Database servers, with their process ids. */
  readonly servers: readonly string[] | null;
}

/** Looks at this host; to be asked while no server of ours runs. */
export async function readHostState(): Promise<HostState> {
  const { proc } = thisHost();
  const processes = await readProcesses(proc);
  return {
    load: parseLoad(await readText(`${proc}/loadavg`)),
    cpus: os.availableParallelism(),
    servers: processes === null ? null : otherServers(processes),
  };
}
