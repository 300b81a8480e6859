/** Middle of the values, or the mean of the two in the middle. NaN for none. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return Number.NaN;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The smallest value that `fraction` of the values do not exceed. NaN for none. */
export function percentile(values, fraction) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)] ?? Number.NaN;
}

/** Median, smallest and largest. */
export function spread(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}
