import { STEP_NAMES } from '../step.ts';
import { BRANCH_POINTS, type BranchPoint } from './plan-file.ts';
import { describeValue, type Problems } from './problem.ts';
import { didYouMean } from './read-map.ts';

/** `reuse: after l.x`: the step whose data later runs start from; null when there is none, or a problem. */
export function readReuse(value: unknown, problems: Problems): BranchPoint | null {
  if (value === undefined) return null;
  const expected = `expected ${BRANCH_POINTS.map((step) => `"after ${step}"`).join(' or ')}`;
  const step = typeof value === 'string' ? /^after (\S+)$/.exec(value)?.[1] : undefined;
  const known = BRANCH_POINTS.find((point) => point === step);
  if (known !== undefined) return known;
  if (step === undefined) {
    problems.add(['reuse'], `${expected}, got ${describeValue(value)}`);
  } else if ((STEP_NAMES as readonly string[]).includes(step)) {
    problems.add(['reuse'], `${expected}: runs cannot start from the data after ${step}`);
  } else {
    problems.add(
      ['reuse'],
      `${expected}: unknown step "${step}"${didYouMean(step, BRANCH_POINTS)}`,
    );
  }
  return null;
}
