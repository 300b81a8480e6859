/**
 * Cells of a response-time table: the share of each bucket in per cent with three decimals, blank for
 * an empty bucket, `nonzero` where operations exist but the share prints as 0.000. `counts` are summed
 * over clients; without any operation every cell is blank.
 */
export function decimalPercents(counts: readonly number[]): string[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => {
    if (count === 0) return '';
    const percent = ((100 * count) / total).toFixed(3);
    return percent === '0.000' ? 'nonzero' : percent;
  });
}
