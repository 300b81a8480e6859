/** Pearson's statistic of counts against equal shares. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

/** How many of `values`, each in [0, n), lie in each of `bins` ranges of equal length. */
export function countInBins(values: Iterable<number>, n: number, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) counts[Math.floor((value * bins) / n)]! += 1;
  return counts;
}

/** Are the counts as even as chance makes them, within five standard deviations of the statistic? */
export function isUniform(counts: readonly number[]): boolean {
  const freedom = counts.length - 1;
  return Math.abs(chiSquare(counts) - freedom) < 5 * Math.sqrt(2 * freedom);
}
