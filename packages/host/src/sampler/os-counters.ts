import { readFileSync } from 'node:fs';
import { type OsCounters, RunError } from '@ibench/core';
import { pickDisks } from './proc-diskstats.ts';
import { parseProcStat } from './proc-stat.ts';

/**
 * The kernel's counters now: `/proc/stat` and `/proc/diskstats` read back to back, parsed afterwards. Synchronous, so
 * that nothing runs in between. Devices the kernel does not know are left out. Throws RunError where there is no
 * `/proc/stat` (other systems than Linux).
 */
export function readOsCounters(devices: readonly string[]): OsCounters {
  const atNs = process.hrtime.bigint();
  const stat = readProc('/proc/stat');
  const diskstats = devices.length === 0 ? '' : readProc('/proc/diskstats');
  return parseOsCounters({ atNs, stat, diskstats }, devices);
}

/** The counters in the text of `/proc/stat` and `/proc/diskstats`, read at a time of CLOCK_MONOTONIC. */
export function parseOsCounters(
  { atNs, stat, diskstats }: OsTexts,
  devices: readonly string[],
): OsCounters {
  const { cpu, contextSwitches, cpus } = parseProcStat(stat);
  return {
    atS: Number(atNs) / 1e9,
    cpu,
    contextSwitches,
    cpus,
    disks: pickDisks(diskstats, devices),
  };
}

interface OsTexts {
  readonly atNs: bigint;
  readonly stat: string;
  readonly diskstats: string;
}

function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new RunError(
      `Cannot read ${path}, where Linux keeps the CPU and disk counters of the host: run on Linux, with /proc mounted`,
      { cause },
    );
  }
}
