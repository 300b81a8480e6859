import { type ComparedStep, compareStep, isWorthTelling } from './comparison-steps.ts';
import { costsText } from './cost-text.ts';
import { type RunGroup, sameLoad } from './run-group.ts';
import { throughputSteps } from './throughput.ts';

/** A step in which the throughput of a row differs from the base, and what moved with it. */
export interface ChangeSentence {
  readonly step: string;
  readonly verdict: 'regression' | 'improvement';
  /** Throughput / throughput of the base. */
  readonly ratio: number;
  /** As `changeText` has it. */
  readonly text: string;
}

/**
 * What changed and the first suspect, one sentence for each row and step outside ±5% of the base that the
 * repeats do not speak against, the largest change first. Steps in which either missed the SLA are left out:
 * they did different background work.
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
  const compared = compareStep(base, group, step);
  const { ratio, verdict } = compared.b;
  if (ratio === null || !Number.isFinite(ratio) || verdict === 'none') return [];
  if (!isWorthTelling(compared)) return [];
  return [{ step, verdict, ratio, text: changeText(compared, base.label, group.label) }];
}

/** `l.i1: pg19 1.13x [1.11, 1.15] vs pg17; CPU/insert −12% (75.0 → 66.0 µs)`, with what makes it unsure. */
export function changeText(compared: ComparedStep, base: string, other: string): string {
  const { step, b } = compared;
  const spread =
    b.repeats.length > 1 && b.low !== null && b.high !== null
      ? ` [${b.low.toFixed(2)}, ${b.high.toFixed(2)}]`
      : '';
  return `${step}: ${other} ${b.ratio?.toFixed(2)}x${spread} vs ${base}${doubt(compared)}; ${costsText(b.costs, step)}`;
}

function doubt({ a, b, verdict }: ComparedStep): string {
  if (verdict !== 'cannot tell at this n') return '';
  const [ofA, ofB] = [a.repeats.length, b.repeats.length];
  return ofA === 1 && ofB === 1
    ? ' (one repeat each cannot tell it from noise)'
    : ` (${ofB} and ${ofA} repeats cannot tell it from noise)`;
}
