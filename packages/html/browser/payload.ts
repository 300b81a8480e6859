import { type ChartSpec, mapSeries, type Points, unpackSeries } from '@ibench/chart';

/** Charts of a step by their name, ready to be drawn. */
export type Charts = ReadonlyMap<string, ChartSpec>;

const loading = new Map<string, Promise<Charts>>();
const loaded = new Map<string, Charts>();

/** The charts of a step; its series are unpacked once. */
export function chartsOf(step: string): Promise<Charts> {
  let charts = loading.get(step);
  if (charts === undefined) {
    charts = load(step);
    loading.set(step, charts);
  }
  return charts;
}

/** The charts of a step if they are unpacked already. */
export function loadedCharts(step: string): Charts | undefined {
  return loaded.get(step);
}

/** Names of the steps that the page holds. */
export function stepsOfPage(): string[] {
  return [...document.querySelectorAll<HTMLElement>('script[data-charts]')].map(
    ({ dataset }) => dataset.charts ?? '',
  );
}

async function load(step: string): Promise<Charts> {
  const specs = JSON.parse(textOf('charts', step)) as ChartSpec<number>[];
  const series = unpackSeries(await unzip(textOf('series', step)));
  const gap: Points = { x: [], y: [] };
  const charts = new Map(
    specs.map((spec) => [spec.id, mapSeries(spec, (at) => series[at] ?? gap)] as const),
  );
  loaded.set(step, charts);
  return charts;
}

function textOf(what: 'charts' | 'series', step: string): string {
  return document.querySelector(`script[data-${what}="${CSS.escape(step)}"]`)?.textContent ?? '';
}

async function unzip(base64: string): Promise<Uint8Array> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
