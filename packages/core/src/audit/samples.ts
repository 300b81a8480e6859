import type { OsSample } from '../sample.ts';
import type { Audit } from './audit.ts';

/** Of the samples that there should be, at least this share. */
const KEPT_SHARE = 0.9;
/** With fewer intervals than these in a step, one that straddles a border is most of them. */
const JUDGED_INTERVALS = 5;

/**
 * Did the series of vmstat and iostat go on to the end of the step? One interval at each border lies
 * partly outside of it and is no loss.
 *
 * @param seconds length of the step; @param intervalS between samples
 * @param wanted are there devices to sample?
 */
export function samplesAudit(
  samples: readonly OsSample[],
  { seconds, intervalS, wanted }: { seconds: number; intervalS: number; wanted: { io: boolean } },
): Audit[] {
  const expected = Math.floor(seconds / intervalS) - 1;
  if (expected < JUDGED_INTERVALS) return [];
  const halves = [
    { tool: 'vmstat', got: samples.filter(({ vm }) => vm !== null).length },
    ...(wanted.io
      ? [{ tool: 'iostat', got: samples.filter(({ io }) => io.length > 0).length }]
      : []),
  ];
  const worst = halves.reduce((a, b) => (b.got < a.got ? b : a));
  const isOk = worst.got >= Math.floor(KEPT_SHARE * expected);
  const lost = isOk ? '' : ': the rest of the series is missing';
  return [
    {
      name: 'samples',
      verdict: isOk ? 'ok' : 'warned',
      value: worst.got,
      bound: Math.floor(KEPT_SHARE * expected),
      reason: `${worst.tool} gave ${worst.got} samples of at least ${expected}${lost}`,
    },
  ];
}
