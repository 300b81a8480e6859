/** Reads the golden files and compares values within the rounding of what was printed. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { NormalisedRates, RateBasis, StepRates } from '../src/metrics/index.ts';
import { normalise } from '../src/metrics/index.ts';

export type Row = (column: string) => string;

/** Values that print the same way. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const GOLDEN = new URL('../../test/fixtures/golden/', import.meta.url);

export function readGolden(name: string): Buffer {
  const bytes = readFileSync(new URL(name, GOLDEN));
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

/** Rows of a golden CSV file as look-ups by column; asking for an unknown column throws. */
export function goldenRows(name: string): Row[] {
  const [head, ...lines] = readGolden(name).toString('utf8').trimEnd().split('\n');
  const columns = (head as string).split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return (column) => {
      const cell = cells[columns.indexOf(column)];
      if (cell === undefined) throw new Error(`${name}: no column ${column} in the row ${line}`);
      return cell;
    };
  });
}

/** What a printed number ≥ 0 can have been before it was rounded to its decimals. */
export function printed(text: string): Interval {
  const decimals = text.split('.')[1]?.length ?? 0;
  const half = 0.5 * 10 ** -decimals;
  return { low: Math.max(0, Number(text) - half), high: Number(text) + half };
}

export function exactly(value: number): Interval {
  return { low: value, high: value };
}

/** Do the intervals meet? A billionth of slack for the bounds themselves. */
export function meets(a: Interval, b: Interval): boolean {
  const slack = 1e-9 * Math.max(1, Math.abs(b.high));
  return a.low <= b.high + slack && b.low <= a.high + slack;
}

export type RateIntervals = { readonly [Name in Exclude<keyof StepRates, 'cpus'>]: Interval };

/** Range of each per-operation value over all rates within the intervals: they grow with the rate and fall with the throughput. */
export function normalisedIntervals(
  rates: RateIntervals,
  cpus: number,
  basis: RateBasis,
): Record<keyof NormalisedRates, Interval> {
  const at = (rate: keyof Interval, throughput: keyof Interval): NormalisedRates => {
    const corner = Object.fromEntries(
      Object.entries(rates).map(([name, interval]) => [
        name,
        interval[name === 'ips' || name === 'qps' ? throughput : rate],
      ]),
    ) as Record<keyof RateIntervals, number>;
    return normalise({ ...corner, cpus }, basis);
  };
  const [low, high] = [at('low', 'high'), at('high', 'low')];
  const interval = (name: keyof NormalisedRates): Interval => ({
    low: low[name] ?? 0,
    high: high[name] ?? Number.POSITIVE_INFINITY,
  });
  return {
    rpq: interval('rpq'),
    rkbpq: interval('rkbpq'),
    wpi: interval('wpi'),
    wkbpi: interval('wkbpi'),
    cspq: interval('cspq'),
    cpupq: interval('cpupq'),
  };
}
