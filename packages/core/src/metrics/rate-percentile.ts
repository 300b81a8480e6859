/** With fewer seconds than this a percentile of rates says nothing; published reports print NA. */
const MIN_SECONDS = 10;

/**
 * The rate that `percent` % of the seconds reach: the round-half-even(percent / 100 × n)-th largest of
 * the n per-second rates, counted from 1. So p99 is nearly the slowest second, not the fastest.
 * null below 10 seconds. The rule is that of the published reports, which apply it to client 1 only.
 */
export function ratePercentile(perSecond: readonly number[], percent: number): number | null {
  const n = perSecond.length;
  if (n < MIN_SECONDS) return null;
  const rank = Math.max(1, roundHalfEven((percent * n) / 100));
  const descending = [...perSecond].sort((a, b) => b - a);
  return descending[rank - 1] ?? null;
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
