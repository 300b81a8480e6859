import type { Audit } from './audit.ts';

/** A pause of the runner from here on is worth a word, s. */
const PAUSE_S = 1;
/** By how much the counters of the machine may cover more or less than the step: s, and share of it. */
const APART_S = 0.5;
const APART_SHARE = 0.05;
/** A shorter step is only warned of: its rates are the workers', and its counters are coarse in any case. */
const JUDGED_SECONDS = 5;

/** What is known of the runner in a step. */
export interface RunnerSeen {
  /** Length of the step, s. */
  readonly seconds: number;
  /** Longest time in which the runner did not get to run, s. */
  readonly pauseS: number;
  /** Does the runner do the work of the step, and take its time, itself? */
  readonly isWork: boolean;
  /** Time between the readings of the machine's counters, s; null: not read. */
  readonly countersS: number | null;
}

/**
 * Did the runner run all the time? The workers of a step need it for nothing; what it measures itself is
 * not to be used where it did not: the time of its own steps, and the counters at the borders.
 */
export function runnerAudit({ seconds, pauseS, isWork, countersS }: RunnerSeen): Audit {
  const isPaused = pauseS > PAUSE_S;
  const apartS = countersS === null ? 0 : Math.abs(countersS - seconds);
  const mostApartS = Math.max(APART_S, APART_SHARE * seconds);
  const isApart = apartS > mostApartS;
  const told = [
    ...(isPaused ? [`the runner stood still for ${pauseS.toFixed(1)} s`] : []),
    ...(isPaused && isWork ? ['it is the runner that does the work of this step'] : []),
    ...(isApart
      ? [
          `the counters of the machine are of ${countersS?.toFixed(1)} s, the step of ${seconds.toFixed(1)} s`,
        ]
      : []),
  ];
  const isInvalid = (isApart && seconds >= JUDGED_SECONDS) || (isPaused && isWork);
  return {
    name: 'runner',
    verdict: isInvalid ? 'invalid' : told.length > 0 ? 'warned' : 'ok',
    value: isApart ? apartS : pauseS,
    bound: isApart ? mostApartS : PAUSE_S,
    reason: told.length > 0 ? told.join('; ') : `the runner never stood still for ${PAUSE_S} s`,
  };
}
