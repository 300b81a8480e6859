export type RelativeVerdict = 'regression' | 'improvement' | 'none';

/**
 * value / base, as in the relative tables: 0/0 is 1 (nothing changed), anything else over zero is
 * Infinity, and null (not measured) stays null.
 */
export function relativeTo(base: number | null, value: number | null): number | null {
  if (base === null || value === null) return null;
  if (base === 0) return value === 0 ? 1 : Number.POSITIVE_INFINITY;
  return value / base;
}

/** Two decimals, `inf` for a ratio over zero, `NA` where there is none. */
export function formatRelative(ratio: number | null): string {
  if (ratio === null) return 'NA';
  return Number.isFinite(ratio) ? ratio.toFixed(2) : 'inf';
}

/** Least and largest ratio that is no change, whole per cent. */
const NO_VERDICT = { from: 96, to: 104 } as const;

/** Ratios in between have no verdict: those that round to 96% … 104%. */
export const NO_VERDICT_BAND = [
  (NO_VERDICT.from - 0.5) / 100,
  (NO_VERDICT.to + 0.5) / 100,
] as const;

/**
 * Verdict on a relative throughput in this tool's tables (SPEC 6): at most 95% of the base is a
 * regression, at least 105% an improvement. The ratio counts in whole per cent.
 */
export function relativeVerdict(ratio: number | null): RelativeVerdict {
  return verdictOutside(ratio, NO_VERDICT.from, NO_VERDICT.to);
}

/** The same as newer published reports mark it: below 95% and above 105%, both bounds unmarked. */
export function publishedRelativeVerdict(ratio: number | null): RelativeVerdict {
  return verdictOutside(ratio, 95, 105);
}

function verdictOutside(ratio: number | null, low: number, high: number): RelativeVerdict {
  if (ratio === null) return 'none';
  const percent = Math.round(ratio * 100);
  if (percent < low) return 'regression';
  return percent > high ? 'improvement' : 'none';
}
