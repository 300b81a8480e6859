import { setTimeout as sleep } from 'node:timers/promises';
import { type PlanHostBounds, RunError } from '@ibench/core';
import { formatBytes, freeBytes, type HostState, readHostState } from '@ibench/host';
import { formatSeconds } from './format.ts';

const POLL_MS = 1000;

/** What a check of the host needs. */
export interface HostCheck {
  readonly bounds: PlanHostBounds;
  /** Folder of the data, and what a run is expected to need there, bytes. */
  readonly folder: string;
  readonly neededBytes: number;
  readonly signal: AbortSignal;
  /** Told what is waited for. */
  readonly update: (second: number, text: string) => void;
}

/**
 * Waits, for a bounded time, until the host is quiet enough for a run.
 *
 * @returns what is to be known of a run that starts all the same
 * @throws RunError when there is too little room, or the host stays busy and the plan does not want that
 */
export async function checkHost(check: HostCheck): Promise<string[]> {
  const { bounds, signal, update } = check;
  await checkSpace(check);
  const start = performance.now();
  for (;;) {
    const findings = judgeHost(bounds, await readHostState());
    const waited = (performance.now() - start) / 1000;
    if (findings.length === 0 || waited >= bounds.waitSeconds) {
      if (findings.length === 0 || bounds.whenBusy === 'warn') return findings;
      throw new RunError(
        `the host is not quiet after ${formatSeconds(waited)}: ${findings.join('; ')}`,
      );
    }
    update(waited, `  waiting, up to ${formatSeconds(bounds.waitSeconds)}: ${findings.join('; ')}`);
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** What disturbs a run, in words. */
export function judgeHost(bounds: PlanHostBounds, { load, cpus, servers }: HostState): string[] {
  const bound = bounds.maxLoad ?? cpus;
  const isBusy = load !== null && load > bound;
  const hasOthers = !bounds.allowOtherPostgres && servers !== null && servers.length > 0;
  return [
    ...(isBusy ? [`load average ${load.toFixed(2)} before the run, bound ${bound}`] : []),
    ...(hasOthers ? [`another server runs on this host: ${servers?.join(', ')}`] : []),
  ];
}

async function checkSpace({ bounds, folder, neededBytes }: HostCheck): Promise<void> {
  const free = await freeBytes(folder);
  const needed = neededBytes + (bounds.minFreeDisk ?? 0);
  if (free === null || free >= needed) return;
  throw new RunError(
    `${formatBytes(free)} are free in ${folder}, the run needs ${formatBytes(needed)}`,
  );
}
