import type { Audit } from './audit.ts';

/** What the host did in a fixed piece of work, without a server; null: not measured. */
export interface CanaryFigures {
  /** A fixed loop on one CPU, ms. */
  readonly cpuMs: number;
  /** Copying memory that no cache holds, MB/s (1 MB = 1024 kB). */
  readonly memoryMbPerS: number;
  /** 8 kB write with fdatasync, and without, on the file system of the data; medians, µs. */
  readonly flushUs: number | null;
  readonly writeUs: number | null;
}

/** Earlier runs that it takes to know a host. */
const CANARY_HISTORY = 5;

/**
 * How far each figure may be from the host's median in any case, as a share of it. Disks vary more from
 * day to day than processors.
 */
const TOLERANCE = { cpuMs: 0.1, memoryMbPerS: 0.2, flushUs: 0.5, writeUs: 0.5 } as const;

/** A host that varies more by itself is given this many of its median absolute deviations. */
const DEVIATIONS = 5;

const WORDS = {
  cpuMs: ['the CPU loop took', 'ms'],
  memoryMbPerS: ['copying memory went at', 'MB/s'],
  flushUs: ['8 kB write + fdatasync took', 'µs'],
  writeUs: ['8 kB write took', 'µs'],
} as const satisfies Record<keyof CanaryFigures, readonly [string, string]>;

/**
 * Was the host as it usually is? Each figure of the run must be within its band: median of the earlier
 * ones ± a bound. A run for which one is not is suspect.
 *
 * @param figures of this run; @param history those of earlier runs, one list for each
 * @returns none while the host is not known
 */
export function canaryAudit(
  figures: readonly CanaryFigures[],
  history: readonly (readonly CanaryFigures[])[],
): Audit[] {
  if (figures.length === 0 || history.length < CANARY_HISTORY) return [];
  const names = Object.keys(TOLERANCE) as (keyof CanaryFigures)[];
  const outside = names.flatMap((name) => {
    const earlier = history.flat().map((one) => one[name]);
    return strayed(
      name,
      figures.map((one) => one[name]),
      earlier,
    );
  });
  const worst = outside.reduce((most, { ratio }) => Math.max(most, ratio), 0);
  return [
    {
      name: 'canary',
      verdict: outside.length === 0 ? 'ok' : 'warned',
      value: worst,
      bound: 1,
      reason:
        outside.length === 0
          ? `the host was as fast as in ${history.length} earlier runs`
          : `suspect: the host was not as in ${history.length} earlier runs: ${outside.map(({ text }) => text).join('; ')}`,
    },
  ];
}

interface Strayed {
  /** Distance from the median / bound. */
  readonly ratio: number;
  readonly text: string;
}

function strayed(
  name: keyof CanaryFigures,
  values: readonly (number | null)[],
  history: readonly (number | null)[],
): Strayed[] {
  const known = history.filter((value) => value !== null);
  const measured = values.filter((value) => value !== null);
  if (known.length === 0 || measured.length === 0) return [];
  const middle = median(known);
  const deviation = median(known.map((value) => Math.abs(value - middle)));
  const bound = Math.max(TOLERANCE[name] * middle, DEVIATIONS * deviation);
  const worst = measured.reduce((a, b) => (Math.abs(b - middle) > Math.abs(a - middle) ? b : a));
  const ratio = Math.abs(worst - middle) / bound;
  if (ratio <= 1) return [];
  const [words, unit] = WORDS[name];
  const text = `${words} ${shown(worst)} ${unit} (usually ${shown(middle)} ± ${shown(bound)})`;
  return [{ ratio, text }];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] as number;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] as number;
  return (lower + upper) / 2;
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}
