import type { Interval, ServerWork } from '@ibench/chart';
import type { StepSeries } from '@ibench/core';

/**
 * When the server was at a checkpoint and when at a vacuum: from the first sample that saw it to the second of
 * the last; and between two samples, where it had ended since the first. null where it was not sampled.
 */
export function serverWork({ waits: { seconds }, server }: StepSeries): ServerWork | null {
  if (seconds.length === 0) return null;
  const atWork = (busy: readonly number[], ended: readonly number[]): Interval[] =>
    united([...intervals(seconds, busy), ...betweenSamples(seconds, ended)]);
  return {
    checkpoints: atWork(server.checkpointing, server.checkpointed),
    vacuums: atWork(server.vacuuming, server.vacuumed),
  };
}

/** Sampled seconds in a row that are all among `busy`, from the first to the end of the last. */
export function intervals(sampled: readonly number[], busy: readonly number[]): Interval[] {
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

/** From the sample before to each of these, which the first has not. */
export function betweenSamples(sampled: readonly number[], ended: readonly number[]): Interval[] {
  return ended.map((second) => {
    const before = sampled.findLast((one) => one < second) ?? 0;
    return [before, Math.max(second, before + 1)];
  });
}

/** The same time in as few intervals as can be, in order. */
export function united(all: readonly Interval[]): Interval[] {
  const found: [number, number][] = [];
  for (const [from, to] of [...all].sort((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last === undefined || from > last[1]) found.push([from, to]);
    else last[1] = Math.max(last[1], to);
  }
  return found;
}
