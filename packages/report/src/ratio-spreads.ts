import { relativeTo } from '@ibench/core';
import { compareStep, isBySize, ratioMark } from './comparison-steps.ts';
import { type RunGroup, sameLoad } from './run-group.ts';
import type { Mark } from './table.ts';
import { throughputOf, throughputSteps } from './throughput.ts';

/** Throughput of a row in one step relative to the base, with how its repeats lie. */
export interface RatioSpread {
  readonly step: string;
  /** Median over repeats / median of the base. */
  readonly ratio: number;
  /** Slowest and fastest repeat / median of the base; null where there is one repeat. */
  readonly spread: readonly [low: number, high: number] | null;
  /** Each repeat / median of the base. */
  readonly repeats: readonly number[];
  /** `unsure` where the repeats cannot tell a change from noise. */
  readonly mark: Mark;
  /** Is it marked by its size alone, since the repeats are too few? */
  readonly bySize: boolean;
}

/**
 * The ratios of a row in the steps that it and the base did validly; none where they did different work. The spread is
 * that of the repeats, never of the seconds of a run.
 */
export function ratioSpreads(
  group: RunGroup,
  base: RunGroup,
  steps: readonly string[],
): RatioSpread[] {
  if (!sameLoad(group, base)) return [];
  return throughputSteps(steps).flatMap((step) => {
    const compared = compareStep(base, group, step);
    const { ratio, low, high, repeats } = compared.b;
    const baseValue = throughputOf(base, step).value;
    const ratios = repeats.map((repeat) => relativeTo(baseValue, repeat) ?? Number.NaN);
    if (ratio === null || !Number.isFinite(ratio)) return [];
    const spread =
      repeats.length > 1 && low !== null && high !== null ? ([low, high] as const) : null;
    return [
      {
        step,
        ratio,
        spread,
        repeats: ratios,
        mark: ratioMark(compared),
        bySize: isBySize(compared),
      },
    ];
  });
}
