/** Which throughput the per-operation columns divide by: ips in l.* steps, qps in q* steps. */
export type RateBasis = 'ips' | 'qps';

/** Averages over a step, per second; cpups in % of the whole machine; null: not measured. */
export interface StepRates {
  readonly ips: number | null;
  readonly qps: number | null;
  readonly rps: number | null;
  /** MB = 1024 kB. */
  readonly rmbps: number | null;
  readonly wps: number | null;
  readonly wmbps: number | null;
  readonly csps: number | null;
  readonly cpups: number | null;
  /** Logical CPUs. */
  readonly cpus: number | null;
}

/** Work of the machine per operation. cpupq in µs of CPU, rkbpq and wkbpi in kB (1024 bytes). */
export interface NormalisedRates {
  readonly rpq: number | null;
  readonly rkbpq: number | null;
  readonly wpi: number | null;
  readonly wkbpi: number | null;
  readonly cspq: number | null;
  readonly cpupq: number | null;
}

const KB_PER_MB = 1024;

/**
 * The per-operation columns of SPEC 4.3 and of the published reports. Reads, context switches and CPU
 * are per operation of the basis; writes are always per insert. null where an input is null or the
 * throughput is zero.
 */
export function normalise(rates: StepRates, basis: RateBasis): NormalisedRates {
  const throughput = rates[basis];
  const { ips } = rates;
  return {
    rpq: divide(rates.rps, throughput),
    rkbpq: divide(scale(rates.rmbps, KB_PER_MB), throughput),
    wpi: divide(rates.wps, ips),
    wkbpi: divide(scale(rates.wmbps, KB_PER_MB), ips),
    cspq: divide(rates.csps, throughput),
    cpupq: divide(cpuUsPerS(rates.cpups, rates.cpus), throughput),
  };
}

/** numerator / denominator; null where either is null or the denominator is zero. */
export function divide(numerator: number | null, denominator: number | null): number | null {
  if (numerator === null || denominator === null || denominator === 0) return null;
  return numerator / denominator;
}

/** value × factor; null stays null. */
export function scale(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor;
}

function cpuUsPerS(percent: number | null, cpus: number | null): number | null {
  return cpus === null ? null : scale(percent, (cpus * 1e6) / 100);
}
