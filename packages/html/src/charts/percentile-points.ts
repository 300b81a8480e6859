import type { TimesHistogram } from '@ibench/core';

/** Points per nine: as fine as a page keeps positions. */
const PER_NINE = 10;

/**
 * Response time by percentile, as the tables have it (`percentileUs` of the core): y is the time in microseconds
 * that the share 1 − 10^−x of the operations do not exceed, x is in nines. The end is the slowest operation,
 * which may be one that was not done when the step ended, and so in no bucket.
 */
export function percentilePoints(
  { buckets }: Pick<TimesHistogram, 'buckets'>,
  maxUs: number,
): { x: number[]; y: number[] } {
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  const last = Math.floor(PER_NINE * Math.log10(total)) + 1;
  const x = Array.from({ length: last + 1 }, (_, i) => i / PER_NINE);
  let at = 0;
  let seen = buckets[0]?.count ?? 0;
  const y = x.map((nines, i) => {
    if (i === last) return maxUs;
    const rank = Math.max(1, Math.ceil((1 - 10 ** -nines) * total));
    while (seen < rank && at < buckets.length - 1) seen += buckets[++at]!.count;
    return Math.min(buckets[at]!.upperUs, maxUs);
  });
  return { x, y };
}
