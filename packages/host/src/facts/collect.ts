import { type CpuFacts, readCpuFacts } from './cpu.ts';
import { type DiskFacts, NO_DISK, readDiskFacts } from './disk.ts';
import { type MemoryFacts, readMemoryFacts } from './memory.ts';
import { type HostSource, thisHost } from './source.ts';
import { readSystemFacts, type SystemFacts } from './system.ts';

/** Everything recorded about the host of a run (SPEC 4.5). null is "this host does not say", never a guess. */
export type HostFacts = SystemFacts & CpuFacts & MemoryFacts & DiskFacts;

/**
 * Facts about this host and the disk below `dataPath`, by their stable names, in the order in which
 * they are shown. Never fails: what cannot be read is null.
 */
export async function collectHostFacts(
  dataPath: string | null,
): Promise<Map<string, string | number | null>> {
  return new Map(Object.entries(await readHostFacts(dataPath, thisHost())));
}

/** The same facts as a record, of this host or of a tree of files. */
export async function readHostFacts(
  dataPath: string | null,
  source: HostSource,
): Promise<HostFacts> {
  const [system, cpu, memory, disk] = await Promise.all([
    readSystemFacts(source),
    readCpuFacts(source),
    readMemoryFacts(source),
    dataPath === null ? NO_DISK : readDiskFacts(source, dataPath),
  ]);
  return { ...system, ...cpu, ...memory, ...disk };
}
