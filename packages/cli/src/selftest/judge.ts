import type { Fault } from './fault.ts';
import { needsNextRun } from './faults.ts';

/** How the tool did. */
export interface FaultOutcome {
  readonly fault: Fault;
  /** null: it could not be tried here. */
  readonly ok: boolean | null;
  /** What it said, or why it could not be tried. */
  readonly said: string;
  /** What else was wrong; empty where all is well. */
  readonly problems: readonly string[];
}

const OTHER_RUNNER = /^another runner works on this host: .*$/m;

/**
 * Judges what the tool said about a fault. After a killed runner whatever runner starts next on the host
 * cleans up: where others work, what this one does not say proves nothing.
 *
 * @param printed all that its runs have printed
 * @param wrong what else is wrong
 */
export function judge(
  fault: Fault,
  { said, printed, wrong }: { said: string; printed: string; wrong: readonly string[] },
): FaultOutcome {
  const isSaid = fault.expected.test(said);
  const other = needsNextRun(fault) ? OTHER_RUNNER.exec(printed) : null;
  if (!isSaid && other !== null && wrong.length === 0) {
    return {
      fault,
      ok: null,
      said: `may have been cleaned up by another: ${other[0]}`,
      problems: [],
    };
  }
  const problems = isSaid ? wrong : [...wrong, 'it did not say what it must'];
  return { fault, ok: problems.length === 0, said, problems };
}
