import type { ServerWork } from '@ibench/chart';
import type { StepSeries } from '@ibench/core';

/** When the server was at a checkpoint and when at a vacuum, as far as the samples tell; null where it was not sampled. */
export function serverWork({ waits, server }: StepSeries): ServerWork | null {
  if (waits.seconds.length === 0) return null;
  return {
    checkpoints: intervals(waits.seconds, server.checkpointing),
    vacuums: intervals(waits.seconds, server.vacuuming),
  };
}

/** Sampled seconds in a row that are all among `busy`, from the first to the end of the last. */
export function intervals(sampled: readonly number[], busy: readonly number[]): [number, number][] {
  const isBusy = new Set(busy);
  const found: [number, number][] = [];
  let isOpen = false;
  for (const second of sampled) {
    if (!isBusy.has(second)) isOpen = false;
    else if (isOpen) found.at(-1)![1] = second + 1;
    else {
      found.push([second, second + 1]);
      isOpen = true;
    }
  }
  return found;
}
