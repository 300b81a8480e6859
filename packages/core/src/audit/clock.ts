import type { Audit } from './audit.ts';

/** Both clocks of a host at one instant, ms. */
export interface Clocks {
  /** CLOCK_REALTIME: the time of day, which somebody can set. */
  readonly realMs: number;
  /** CLOCK_MONOTONIC, which all measuring is done with. */
  readonly monotonicMs: number;
}

/** What reading two clocks one after the other can cost on a busy machine, ms. */
const READING_MS = 100;
/** The kernel slews the time of day by at most 0.05%; twice that. */
const SLEW = 0.001;

/**
 * Did the time of day keep step with the clock that measures? It does not where it was set, and where
 * the machine was suspended. `readings` are in their order, the first from the start of the step.
 */
export function clockAudit(readings: readonly Clocks[]): Audit[] {
  const [first, ...later] = readings;
  if (first === undefined || later.length === 0) return [];
  const drifts = later.map(
    ({ realMs, monotonicMs }) => realMs - first.realMs - (monotonicMs - first.monotonicMs),
  );
  const worst = drifts.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));
  const lastMs = (later.at(-1) as Clocks).monotonicMs - first.monotonicMs;
  const bound = READING_MS + SLEW * lastMs;
  const isOk = Math.abs(worst) <= bound;
  const reason = isOk
    ? `the time of day moved ${worst.toFixed(1)} ms against the monotonic clock`
    : `the time of day was set, or the host suspended, during the step: it moved ${(worst / 1000).toFixed(1)} s against the monotonic clock`;
  return [
    {
      name: 'clock',
      verdict: isOk ? 'ok' : 'warned',
      value: worst / 1000,
      bound: bound / 1000,
      reason,
    },
  ];
}
