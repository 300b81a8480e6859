import { costsText } from './cost-text.ts';
import { relativeStep } from './relative-step.ts';
import { type RunGroup, sameLoad } from './run-group.ts';
import { throughputSteps } from './throughput.ts';

/** A step in which the throughput of a row differs from the base, and what moved with it. */
export interface ChangeSentence {
  readonly step: string;
  readonly verdict: 'regression' | 'improvement';
  /** Throughput / throughput of the base. */
  readonly ratio: number;
  /** `l.i1: pg19b1 1.13x [1.11, 1.15] vs pg17.10; CPU/insert −12% (75.0 → 66.0 µs)`. */
  readonly text: string;
}

/**
 * What changed and the first suspect, one sentence for each row and step outside ±5% of the base, the largest
 * change first. Steps in which either missed the SLA are left out: they did different background work.
 */
export function changeSentences(
  groups: readonly RunGroup[],
  base: RunGroup,
  steps: readonly string[],
): ChangeSentence[] {
  return groups
    .filter((group) => group !== base && sameLoad(group, base))
    .flatMap((group) => throughputSteps(steps).flatMap((step) => sentence(group, base, step)))
    .sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)));
}

function sentence(group: RunGroup, base: RunGroup, step: string): ChangeSentence[] {
  const { ratio, low, high, repeats, verdict, costs } = relativeStep(group, base, step);
  if (ratio === null || !Number.isFinite(ratio) || verdict === 'none') return [];
  const spread =
    repeats.length > 1 && low !== null && high !== null
      ? ` [${low.toFixed(2)}, ${high.toFixed(2)}]`
      : '';
  const text = `${step}: ${group.label} ${ratio.toFixed(2)}x${spread} vs ${base.label}; ${costsText(costs, step)}`;
  return [{ step, verdict, ratio, text }];
}
