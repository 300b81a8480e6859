import path from 'node:path';
import { collectHostFacts } from '../facts/index.ts';
import { directoryBytes } from '../postgres/statistics.ts';
import { findDevices } from '../sampler/devices.ts';
import { readOsCounters } from '../sampler/os-counters.ts';
import { readProcess, readRunTime } from '../sampler/proc-process.ts';
import { addCpu, readServerCpu, residentBytes } from '../sampler/server-processes.ts';
import { startSampler } from '../sampler/start-sampler.ts';
import { type HostReader, runTimes, type ServerOnHost } from './host-reader.ts';

/** Reads this host, on which the server runs too. */
export function localReader({ postmasterPid, dataDirectory }: ServerOnHost): HostReader {
  return {
    place: 'local',
    isLocal: true,
    findDevices: async () =>
      dataDirectory === null
        ? { devices: [], warnings: [NO_DIRECTORY] }
        : findDevices([dataDirectory, path.join(dataDirectory, 'pg_wal')]),
    facts: () => collectHostFacts(dataDirectory),
    // Up to its end without a wait, so that nothing runs in between.
    readBorder: async (devices) => ({
      os: readOsCounters(devices),
      server: readServerCpu(postmasterPid),
    }),
    readCpu: async (pids) =>
      addCpu(pids.map((pid) => readProcess(pid)).filter((one) => one !== null)).byPid,
    readRunTimes: async (pids) =>
      runTimes(
        pids,
        pids.map((pid) => readRunTime(pid)),
      ),
    residentBytes: async () => residentBytes(postmasterPid),
    dataDirectoryBytes: async () => (dataDirectory === null ? null : readableBytes(dataDirectory)),
    startSampler: (options) => startSampler(options),
    close: async () => {},
  };
}

/** Why I/O is not measured where nobody says where the data is. */
export const NO_DIRECTORY =
  'I/O is not measured: neither the server nor its host tells this user the data directory (grant pg_read_all_settings), name the devices with --device';

/** The directory of someone else's server is closed to an ordinary user. */
function readableBytes(directory: string): number | null {
  try {
    return directoryBytes(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') return null;
    throw error;
  }
}
