import type { CpuSeconds, OsCounters } from '@ibench/core';
import type { FoundDevices } from '../sampler/devices.ts';
import type { ServerCpu } from '../sampler/server-processes.ts';
import type { Sampler, SamplerOptions } from '../sampler/start-sampler.ts';

/** A Postgres server as the operating system sees it. */
export interface ServerOnHost {
  readonly postmasterPid: number;
  /** null: the server does not tell this user. */
  readonly dataDirectory: string | null;
}

/** Counters at one border of a step; null: not measured. */
export interface HostBorder {
  readonly os: OsCounters | null;
  readonly server: ServerCpu | null;
}

/** The machine that the server runs on, as far as it can be read from here. */
export interface HostReader {
  /** For the record: `local`, `ssh db1`, or `none`. */
  readonly place: string;
  /** Does the load generator run on the machine that is measured? */
  readonly isLocal: boolean;
  /** The block devices under the server's data and WAL. */
  findDevices(): Promise<FoundDevices>;
  /** Facts for the record, by name; see collectHostFacts. */
  facts(): Promise<ReadonlyMap<string, string | number | null>>;
  /**
   * Reads the counters: on this host before the call returns, elsewhere one way of the network later.
   *
   * @throws HostUnreachable when another host does not answer
   */
  readBorder(devices: readonly string[]): Promise<HostBorder>;
  /**
   * CPU of processes since they started, by pid; those that are gone are not in it. null: not measured.
   *
   * @throws HostUnreachable when another host does not answer
   */
  readCpu(pids: readonly number[]): Promise<ReadonlyMap<number, CpuSeconds> | null>;
  /**
   * Time that processes have run on a CPU since they started, seconds by pid, to the nanosecond: CPU as in
   * `readCpu` counts in ticks of 10 ms. Those that are gone, or of which the kernel does not tell, are not in it.
   */
  readRunTimes(pids: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Resident memory of the server in bytes. */
  residentBytes(): Promise<number | null>;
  /** Bytes allocated to the data directory; null where it cannot be read. */
  dataDirectoryBytes(): Promise<number | null>;
  startSampler(options: Omit<SamplerOptions, 'place'>): Promise<Sampler>;
  close(): Promise<void>;
}

/** What was read of processes, by pid, without those of which nothing was. */
export function runTimes(
  pids: readonly number[],
  seconds: readonly (number | null)[],
): ReadonlyMap<number, number> {
  return new Map(
    pids.flatMap((pid, i) => (seconds[i] == null ? [] : [[pid, seconds[i]] as const])),
  );
}

/** Of a machine that cannot be read nothing is known, and nothing is reported. */
export const ABSENT_READER: HostReader = {
  place: 'none',
  isLocal: false,
  findDevices: async () => ({ devices: [], warnings: [] }),
  facts: async () => new Map(),
  readBorder: async () => ({ os: null, server: null }),
  readCpu: async () => null,
  readRunTimes: async () => new Map(),
  residentBytes: async () => null,
  dataDirectoryBytes: async () => null,
  startSampler: async () => ({ pids: [], stop: async () => {} }),
  close: async () => {},
};
