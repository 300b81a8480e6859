import type { RelativeStep } from './relative-step.ts';

/** The ratios of a row over its steps in one number. */
export interface MeanRatio {
  /** Geometric mean; null where no step is compared. */
  readonly mean: number | null;
  /** How many steps are compared: done and valid on both sides, with the SLA met by both. */
  readonly compared: number;
}

/** The mean of the steps of a row that can be compared with the base; a ratio of or to zero has no logarithm. */
export function meanRatio(steps: readonly RelativeStep[]): MeanRatio {
  const ratios = steps.flatMap(({ ratio, missedSla }) =>
    ratio === null || missedSla || ratio <= 0 || !Number.isFinite(ratio) ? [] : [ratio],
  );
  const logarithms = ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0);
  return {
    mean: ratios.length === 0 ? null : Math.exp(logarithms / ratios.length),
    compared: ratios.length,
  };
}
