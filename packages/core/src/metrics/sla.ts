/** Of the target rate at least this share must be sustained (SPEC 2). */
export const SLA_SHARE = 0.95;

/**
 * Did the step sustain 95% of the inserts/s that it asked for? As in the published reports the rates
 * are compared as they are printed, in whole inserts per second, so that a reader who does the sum on
 * the table gets the same verdict.
 */
export function slaMet(measuredIps: number, targetIps: number): boolean {
  return Math.round(measuredIps) >= slaThreshold(targetIps);
}

/** Smallest rate that meets the SLA, whole inserts per second. */
export function slaThreshold(targetIps: number): number {
  return Math.round(SLA_SHARE * targetIps);
}
