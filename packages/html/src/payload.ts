import { gzipSync } from 'node:zlib';
import { type ChartSpec, mapSeries, type PackedSeries, packSeries } from '@ibench/chart';
import type { Limits, StepChart } from './charts/catalogue.ts';

/** The charts of a step as a page holds them. */
export interface Payload {
  /** Series are numbers: positions in the packed data. */
  readonly charts: readonly ChartSpec<number>[];
  /** All series of the step: packed, gzip, base64. */
  readonly data: string;
}

/** Takes the series out of the charts and packs them. */
export function packCharts(charts: readonly StepChart[]): Payload {
  const series: PackedSeries[] = [];
  const numbered = charts.map((chart) => mapSeries(chart, (one) => series.push(one) - 1));
  const packed = gzipSync(packSeries(series), { level: 9 });
  return { charts: numbered, data: packed.toString('base64') };
}

/** Points of all series of a page: about as many bytes when packed. */
const PAGE_POINTS = 2_400_000;
/** Kinds of series per row and step: up to six of statements, nine of the operating system. */
const SERIES = { statement: 6, os: 9 };
const MOST: Limits = { statement: 4000, os: 1200 };
const LEAST: Limits = { statement: 240, os: 80 };

/** How many dots a series may have so that a page of this many rows and steps keeps its size. */
export function limitsFor(rows: number, steps: number): Limits {
  const share = PAGE_POINTS / Math.max(1, rows * steps);
  const limit = (kind: 'statement' | 'os', part: number): number =>
    Math.round(Math.min(MOST[kind], Math.max(LEAST[kind], (part * share) / SERIES[kind])));
  return { statement: limit('statement', 0.7), os: limit('os', 0.3) };
}
