import { type ChartSpec, formatClock, formatValue, type Points } from '@ibench/chart';
import { viewOf } from './boxes.ts';
import { loadedCharts } from './payload.ts';
import { current } from './state.ts';

/** The chart of a box, and where its plot is on the time axis. */
export interface Plot {
  readonly spec: ChartSpec & { readonly seconds: number };
  readonly box: HTMLElement;
  readonly left: number;
  readonly right: number;
  readonly range: readonly [from: number, to: number];
  /** Pixels of the screen per unit of the drawing. */
  readonly pixels: number;
}

/** The plot of a box with a time axis; undefined before it is drawn. */
export function plotOf(box: HTMLElement): Plot | undefined {
  const spec = loadedCharts(box.dataset.step ?? '')?.get(box.dataset.chart ?? '');
  const svg = box.querySelector('svg');
  const area = svg?.querySelector('.plot');
  if (spec === undefined || !('seconds' in spec) || svg == null || area == null) return undefined;
  const left = Number(area.getAttribute('x'));
  return {
    spec,
    box,
    left,
    right: left + Number(area.getAttribute('width')),
    range: viewOf(box).range ?? [0, Math.max(1, spec.seconds)],
    pixels: svg.getBoundingClientRect().width / svg.viewBox.baseVal.width,
  };
}

/** The second under a horizontal position on the screen, inside the plot. */
export function secondAt(plot: Plot, clientX: number): number {
  const x = (clientX - plot.box.getBoundingClientRect().left) / plot.pixels;
  const share = Math.min(1, Math.max(0, (x - plot.left) / (plot.right - plot.left)));
  return plot.range[0] + share * (plot.range[1] - plot.range[0]);
}

/** Puts the line at this second into all charts of the step, and says what there is. */
export function showCursor(plot: Plot, second: number): void {
  const step = plot.box.dataset.step ?? '';
  for (const box of document.querySelectorAll<HTMLElement>(
    `.plot-box[data-zoom][data-step="${CSS.escape(step)}"]`,
  )) {
    placeLine(box, second);
  }
  const readout = document.getElementById('readout');
  if (readout === null) return;
  readout.hidden = false;
  readout.textContent = readoutText(plot, second);
}

export function hideCursor(): void {
  for (const line of document.querySelectorAll('.cursor'))
    line.setAttribute('visibility', 'hidden');
  const readout = document.getElementById('readout');
  if (readout !== null) readout.hidden = true;
}

function placeLine(box: HTMLElement, second: number): void {
  const plot = plotOf(box);
  if (plot === undefined) return;
  const [from, to] = plot.range;
  const x = plot.left + ((second - from) / (to - from)) * (plot.right - plot.left);
  for (const line of box.querySelectorAll('.cursor')) {
    line.setAttribute('transform', `translate(${x.toFixed(1)} 0)`);
    line.setAttribute('visibility', second < from || second > to ? 'hidden' : 'visible');
  }
}

function readoutText({ spec }: Plot, second: number): string {
  const lines = [`${spec.title}, ${formatClock(second)} (${Math.round(second)} s)`];
  if (spec.kind !== 'time') return lines.join('\n');
  for (const { row, label, dots, line } of spec.rows) {
    if (current().hidden.has(row)) continue;
    const value = formatValue(spec.unit, valueAt(dots, second));
    const median = formatValue(spec.unit, valueAt(line, second));
    lines.push(`${label}: ${value}, median around it ${median}`);
  }
  return lines.join('\n');
}

/** The value nearest to this position. */
function valueAt({ x, y }: Points, second: number): number {
  let [low, high] = [0, x.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle]! < second) low = middle + 1;
    else high = middle;
  }
  const before = low > 0 && second - x[low - 1]! < x[low]! - second ? low - 1 : low;
  return y[before] ?? Number.NaN;
}
