/** Below this p a difference is taken for one. */
export const SIGNIFICANCE = 0.05;

/**
 * Exact two-sided p of the Mann-Whitney (Wilcoxon rank-sum) test: how often a random split of the values
 * into two groups of these sizes would give rank sums at least as far from their mean. Ties have mean
 * ranks. null where one side has no values.
 *
 * The distribution is counted, not approximated: one pass over the ranks, as in Streitberg and Röhmel
 * (1986). The values must be independent: one per repeat, never the seconds of a run.
 */
export function mannWhitney(a: readonly number[], b: readonly number[]): number | null {
  if (a.length === 0 || b.length === 0) return null;
  const ranks = doubledRanks([...a, ...b]);
  const sum = ranks.slice(0, a.length).reduce((total, rank) => total + rank, 0);
  // Twice the mean of the rank sum, as the ranks are doubled.
  const mean = a.length * (a.length + b.length + 1);
  const counts = rankSums(ranks, a.length);
  let extreme = 0;
  let all = 0;
  for (const [total, count] of counts.entries()) {
    all += count;
    if (Math.abs(total - mean) >= Math.abs(sum - mean)) extreme += count;
  }
  return extreme / all;
}

/** Can groups of these sizes differ significantly at all? Three and three cannot: their smallest p is 0.1. */
export function canDiffer(sizeA: number, sizeB: number): boolean {
  if (sizeA === 0 || sizeB === 0) return false;
  let splits = 1;
  for (let i = 1; i <= sizeA; i++) splits *= (sizeB + i) / i;
  return 2 / splits <= SIGNIFICANCE;
}

/** Rank of each value, ties shared, times two so that it is whole. */
function doubledRanks(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  return values.map((value) => sorted.indexOf(value) + 1 + (sorted.lastIndexOf(value) + 1));
}

/** Number of ways to choose `size` of the ranks, by their sum. */
function rankSums(ranks: readonly number[], size: number): number[] {
  const largest = ranks.reduce((total, rank) => total + rank, 0);
  const ways = Array.from({ length: size + 1 }, () => new Array<number>(largest + 1).fill(0));
  ways[0]![0] = 1;
  for (const rank of ranks) {
    for (let chosen = size; chosen >= 1; chosen--) {
      const from = ways[chosen - 1]!;
      const to = ways[chosen]!;
      for (let sum = largest; sum >= rank; sum--) to[sum]! += from[sum - rank]!;
    }
  }
  return ways[size]!;
}
