import type { DiskCounters } from '@ibench/core';

/** One line of `/proc/diskstats`, in full. Sectors are 512 bytes whatever the device's own sector is. */
export interface DiskStats extends DiskCounters {
  readonly discards: number | null;
  readonly discardSectors: number | null;
  readonly discardMs: number | null;
  /** Milliseconds with at least one request in flight. */
  readonly busyMs: number;
  /** Milliseconds times requests in flight. */
  readonly queueMs: number;
}

/**
 * Parses `/proc/diskstats` (Documentation/admin-guide/iostats.rst). Discards came with Linux 4.18, flushes with 5.5.
 * The four-number lines that partitions had before 2.6.25 are left out.
 */
export function parseDiskStats(text: string): Map<string, DiskStats> {
  const disks = new Map<string, DiskStats>();
  for (const line of text.split('\n')) {
    const cells = line.trim().split(/\s+/);
    const device = cells[2];
    if (device === undefined || cells.length < 14) continue;
    disks.set(device, toDiskStats(device, cells.slice(3).map(Number)));
  }
  return disks;
}

/** Counters of the named devices, in the order given; devices the kernel does not know are left out. */
export function pickDisks(text: string, devices: readonly string[]): DiskCounters[] {
  const disks = parseDiskStats(text);
  return devices.flatMap((name) => {
    const disk = disks.get(name);
    if (disk === undefined) return [];
    const { device, reads, readSectors, readMs, writes, writeSectors, writeMs, flushes, flushMs } =
      disk;
    return [
      { device, reads, readSectors, readMs, writes, writeSectors, writeMs, flushes, flushMs },
    ];
  });
}

function toDiskStats(device: string, values: readonly number[]): DiskStats {
  const at = (index: number): number => values[index] ?? 0;
  const later = (index: number): number | null => values[index] ?? null;
  return {
    device,
    reads: at(0),
    readSectors: at(2),
    readMs: at(3),
    writes: at(4),
    writeSectors: at(6),
    writeMs: at(7),
    busyMs: at(9),
    queueMs: at(10),
    discards: later(11),
    discardSectors: later(13),
    discardMs: later(14),
    flushes: later(15),
    flushMs: later(16),
  };
}
