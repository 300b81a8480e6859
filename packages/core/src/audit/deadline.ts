import type { Audit } from './audit.ts';

/** A step that ends by time may be this much longer, s. */
const LATE_S = 1;

/** Who worked in a step, in words, and when that ended, s from its start; null: not known. */
export interface WorkerEnd {
  readonly who: string;
  readonly finishedS: number | null;
}

/**
 * Did a step that ends by time end in time? One that did not has rates over a window in which, for some
 * of it, nobody was asked for anything any more. None where the step ends by its rows.
 */
export function deadlineAudit(
  plannedS: number | null,
  seconds: number,
  ends: readonly WorkerEnd[],
): Audit[] {
  if (plannedS === null) return [];
  const lateS = Math.max(0, seconds - plannedS);
  const isOk = lateS <= LATE_S;
  const last = ends.find(({ finishedS }) => finishedS === seconds);
  const who = last === undefined ? '' : `; ${last.who} was the last to get an answer`;
  return [
    {
      name: 'deadline',
      verdict: isOk ? 'ok' : 'invalid',
      value: lateS,
      bound: LATE_S,
      reason: isOk
        ? `the step ended ${lateS.toFixed(1)} s after its time`
        : `the step ended ${lateS.toFixed(1)} s after its time of ${plannedS} s, and its rates are over ${seconds.toFixed(1)} s${who}`,
    },
  ];
}
