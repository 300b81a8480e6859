import path from 'node:path';
import type { PlanFile, PlanProblem } from '@ibench/core';
import { diskSpace, formatBytes } from '@ibench/host';

/**
 * What of a plan's bounds this host can never meet.
 *
 * @param runsDirectory where the data of the runs goes unless the plan says otherwise
 */
export async function checkHostBounds(
  { host, run }: PlanFile,
  runsDirectory: string,
): Promise<PlanProblem[]> {
  if (host.minFreeDisk === null) return [];
  const folder = run.dataDir ?? path.resolve(runsDirectory);
  const space = await diskSpace(folder);
  if (space === null || host.minFreeDisk < space.totalBytes) return [];
  const message = `${formatBytes(host.minFreeDisk)} are never free: the disk of ${folder} has ${formatBytes(space.totalBytes)} in all`;
  return [{ path: ['host', 'min_free_disk'], at: 'value', message }];
}
