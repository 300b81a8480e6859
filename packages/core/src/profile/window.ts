/** Shortest window from which stacks are worth anything, seconds. */
const SHORTEST_S = 0.2;

/**
 * Has the time come for a window in the middle of a step? The step's length is taken from how far it is: a
 * step that is shorter than the window is profiled from where that shows.
 *
 * @param share done of the step, 0 to 1
 */
export function isWindowDue(elapsedS: number, share: number, windowS: number): boolean {
  if (elapsedS < SHORTEST_S || share <= 0) return false;
  const expectedS = elapsedS / Math.min(1, share);
  return elapsedS >= (expectedS - windowS) / 2;
}

/** What was recorded, from when to when: CLOCK_MONOTONIC, ns. */
export interface ProfileWindow {
  readonly fromNs: number;
  readonly toNs: number;
}

/** The part of a window before a moment; null: there is none. */
export function cutAt({ fromNs, toNs }: ProfileWindow, endNs: number): ProfileWindow | null {
  return endNs <= fromNs ? null : { fromNs, toNs: Math.min(toNs, endNs) };
}
