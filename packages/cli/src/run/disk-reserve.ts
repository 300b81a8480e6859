import fs from 'node:fs';
import { RunError, UsageError } from '@ibench/core';
import { formatBytes } from '@ibench/host';

const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
};

/** Reads a size such as 500MB, as PostgreSQL writes them; 0 is a size, too. @throws UsageError */
export function parseSize(option: string, text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(text.trim()) ?? [];
  const factor = number === '0' && unit === '' ? 1 : UNITS[unit ?? ''];
  if (number === undefined || factor === undefined) {
    throw new UsageError(
      `${option} ${text}: expected a size with its unit (${Object.keys(UNITS).join(', ')}), for example 1GB, or 0`,
    );
  }
  return Math.floor(Number(number) * factor);
}

/**
 * Is there still room where the run writes? A server whose disk is full crashes, and the programs beside
 * it fail too.
 *
 * @param directories on the file systems in question; one that is gone is left to others to notice
 * @throws RunError with the figures
 */
export function checkReserve(directories: readonly string[], reserveBytes: number): void {
  for (const directory of directories) {
    const free = freeBytes(directory);
    if (free === null || free >= reserveBytes) continue;
    throw new RunError(
      `only ${formatBytes(free)} are free on the file system of ${directory}, less than the reserve of ${formatBytes(reserveBytes)}: free some space, name another place (--data-dir, --runs-dir), or change --disk-reserve`,
    );
  }
}

/** Bytes that an ordinary user can still write. */
function freeBytes(directory: string): number | null {
  try {
    const { bavail, bsize } = fs.statfsSync(directory);
    return bavail * bsize;
  } catch {
    return null;
  }
}
