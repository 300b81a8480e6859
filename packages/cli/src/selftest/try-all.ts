import type { Fault } from './fault.ts';
import type { FaultOutcome } from './judge.ts';
import { tryFault } from './try-fault.ts';

/** Faults that are tried at once, where they may: their runs mostly wait. */
const AT_ONCE = 2;

/** Is told how far it is. */
export interface Listener {
  /** @param nth which one it is of all, from 1 */
  begins(fault: Fault, nth: number): void;
  ended(outcome: FaultOutcome, ms: number): void;
}

/**
 * Tries faults, first those that may be tried beside others, two at a time, then the others.
 *
 * @param signal ends it early
 * @returns the outcomes in the order of the faults
 */
export async function tryAll(
  faults: readonly Fault[],
  signal: AbortSignal,
  listener: Listener,
): Promise<FaultOutcome[]> {
  const outcomes = new Map<Fault, FaultOutcome>();
  let begun = 0;
  const work = async (queue: Fault[]): Promise<void> => {
    for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
      begun += 1;
      listener.begins(fault, begun);
      const start = performance.now();
      const outcome = await tryFault(fault, signal);
      outcomes.set(fault, outcome);
      listener.ended(outcome, performance.now() - start);
    }
  };
  const beside = faults.filter(({ alone }) => !alone);
  await settled(Array.from({ length: AT_ONCE }, () => work(beside)));
  await work(faults.filter(({ alone }) => alone));
  return faults.flatMap((fault) => outcomes.get(fault) ?? []);
}

/** Waits for all, also when one fails: each cleans up after itself. */
async function settled(works: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(works);
  await Promise.all(works);
}
