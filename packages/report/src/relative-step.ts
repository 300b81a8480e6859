import {
  COST_METRICS,
  type CostChange,
  explainingCosts,
  type RelativeVerdict,
  relativeTo,
  relativeVerdict,
} from '@ibench/core';
import { medianMetric, type RunGroup, repeatsOf } from './run-group.ts';
import { type Throughput, throughputMetric, throughputOf } from './throughput.ts';

/** Throughput of one row in one step, relative to the base. */
export interface RelativeStep {
  readonly throughput: Throughput;
  /** Median over repeats / median of the base; null where either has none. */
  readonly ratio: number | null;
  /** Slowest and fastest repeat / median of the base. */
  readonly low: number | null;
  readonly high: number | null;
  /** Throughput of each repeat. */
  readonly repeats: readonly number[];
  /** Did the row or the base miss the SLA? Then they did not do the same work, and there is no verdict. */
  readonly missedSla: boolean;
  readonly verdict: RelativeVerdict;
  /** What moved with it, where there is a verdict. */
  readonly costs: readonly CostChange[];
}

/** Compares a row with the base in one step; spread and counts are of repeats, never of seconds. */
export function relativeStep(group: RunGroup, base: RunGroup, step: string): RelativeStep {
  const throughput = throughputOf(group, step);
  const ofBase = throughputOf(base, step);
  const ratio = relativeTo(ofBase.value, throughput.value);
  const repeats = throughputs(throughput, step);
  const missedSla = throughput.missedSla || ofBase.missedSla;
  const verdict = missedSla ? 'none' : relativeVerdict(ratio);
  return {
    throughput,
    ratio,
    low: repeats.length === 0 ? null : relativeTo(ofBase.value, Math.min(...repeats)),
    high: repeats.length === 0 ? null : relativeTo(ofBase.value, Math.max(...repeats)),
    repeats,
    missedSla,
    verdict,
    costs:
      verdict === 'none' || ratio === null
        ? []
        : explainingCosts(ratio, costsOf(throughput, ofBase)),
  };
}

function throughputs({ outcome }: Throughput, step: string): number[] {
  return repeatsOf(outcome)
    .map(({ metrics }) => metrics[throughputMetric(step)])
    .filter((value) => value !== null);
}

function costsOf(of: Throughput, base: Throughput): Parameters<typeof explainingCosts>[1] {
  const [repeats, baseRepeats] = [repeatsOf(of.outcome), repeatsOf(base.outcome)];
  return COST_METRICS.map((metric) => ({
    metric,
    base: medianMetric(baseRepeats, metric),
    value: medianMetric(repeats, metric),
  }));
}
