/** What travels from the pacer to a worker: 24 bytes, three little-endian doubles. */
export const RECORD_BYTES = 24;

/** Positions in the Float64Array over a record. */
export const RECORD = {
  /** Number of the statement in the step, from 0. */
  k: 0,
  /** Rows that it changes. */
  rows: 1,
  /** When it is due, CLOCK_MONOTONIC ns; 0: at once. */
  dueNs: 2,
} as const;

/**
 * When statement k is due (SPEC 3.5): evenly at start + k × rows per commit / rate, or, in bursts,
 * all statements of a second at its start.
 *
 * @param rate rows per second; @returns CLOCK_MONOTONIC ns
 */
export function dueNs(
  startNs: number,
  k: number,
  pace: {
    readonly rate: number;
    readonly rowsPerCommit: number;
    readonly pacing: 'even' | 'burst';
  },
): number {
  const offsetS = (k * pace.rowsPerCommit) / pace.rate;
  return startNs + (pace.pacing === 'burst' ? Math.floor(offsetS) : offsetS) * 1e9;
}
