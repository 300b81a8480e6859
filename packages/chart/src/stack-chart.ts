import { scaleLinear } from 'd3-scale';
import { area } from 'd3-shape';
import { bottomAxis, type Frame, frameOf, leftAxis, type Scale } from './frame.ts';
import { layerLegend } from './layer-legend.ts';
import type { Points, StackChart, StackRow, View } from './spec.ts';
import { LAYER_COLOURS } from './style.ts';
import { element, escapeMarkup } from './svg.ts';
import { axisTitle, clipped, plotBox, timeScale, timeTicks } from './time-chart.ts';
import { rowLabels, wrapChart } from './wrap.ts';

const GUTTER = 168;
const PANEL = 76;
const GAP = 16;
const AXIS = 34;
const CAPTION = 17;
/** Pixels. */
const LEAST_BAR = 6;

/** Areas on top of each other, one panel per row, one y scale. */
export function drawStackChart(spec: StackChart<Points>, view: View): string {
  const rows = spec.rows.filter(({ row }) => !view.hidden.has(row));
  const frame = frameOf(view, GUTTER);
  const x = timeScale(spec.seconds, view, frame);
  const legend = layerLegend(spec.layers, frame, 12);
  const caption = frame.gutter === 0 ? CAPTION : 0;
  const each = PANEL + GAP + caption;
  const stacks = rows.map((row) => ({ row, sums: runningSums(row) }));
  const largest = Math.max(spec.limit?.value ?? 0, ...stacks.map(({ sums }) => highest(sums)));
  const labelOf = rowLabels(spec.rows, frame);
  const content = stacks.map(({ row, sums }, i) => {
    const top = legend.height + i * each + 6 + caption;
    const y = scaleLinear()
      .domain([0, spec.top ?? (largest || 1)])
      .nice(4)
      .range([top + PANEL, top]);
    const ticks = { labels: i === rows.length - 1, ticks: timeTicks(x, frame) };
    return [
      plotBox(frame, [top, top + PANEL]),
      leftAxis(y, frame, spec.unit, y.ticks(3)),
      bottomAxis(x, [top, top + PANEL], String, ticks),
      clipped(frame, [top, top + PANEL], ...areas(row, sums, x, y)),
      limitLine(spec, frame, y),
      labelOf(row, caption === 0 ? top + 12 : top - 6),
    ].join('');
  });
  const height = legend.height + rows.length * each - GAP + 6;
  return wrapChart(spec, view, height + AXIS, [legend.svg, ...content, axisTitle(frame, height)]);
}

/** For each layer the sum of it and those below; the first entry is the ground. */
function runningSums({ layers }: StackRow<Points>): number[][] {
  const sums: number[][] = [Array.from(layers[0]?.x ?? [], () => 0)];
  for (const { y } of layers) {
    const below = sums.at(-1)!;
    sums.push(below.map((sum, i) => sum + (Number.isNaN(y[i]!) ? 0 : (y[i] ?? 0))));
  }
  return sums;
}

function highest(sums: readonly (readonly number[])[]): number {
  return (sums.at(-1) ?? []).reduce((most, sum) => Math.max(most, sum), 0);
}

function areas(
  { layers }: StackRow<Points>,
  sums: readonly (readonly number[])[],
  x: Scale,
  y: Scale,
): string[] {
  return layers.map((points, layer) => {
    const path = area<Corner>()
      .x(({ at }) => at)
      .y0(({ i }) => y(sums[layer]![i]!))
      .y1(({ i }) => y(sums[layer + 1]![i]!))
      .digits(1)(corners(points, x));
    return element('path', { class: `a${layer % LAYER_COLOURS}`, d: path ?? '' });
  });
}

/** A position of an area: which one, and where it is drawn. */
interface Corner {
  readonly i: number;
  readonly at: number;
}

/** Where the area of a layer has its corners: a single value is a bar of a second, or so wide that it is seen. */
function corners(points: Points, x: Scale): Corner[] {
  const all = Array.from(points.x, (second, i) => ({ i, at: x(second) }));
  if (all.length !== 1) return all;
  const [{ at }] = all as [Corner];
  const half = Math.max(LEAST_BAR, x(1) - x(0)) / 2;
  return [
    { i: 0, at: at - half },
    { i: 0, at: at + half },
  ];
}

function limitLine({ limit }: StackChart<Points>, frame: Frame, y: Scale): string {
  if (limit === null) return '';
  const at = Math.round(y(limit.value)) + 0.5;
  return (
    element('path', { class: 'limit', d: `M${frame.left} ${at}H${frame.right}` }) +
    element(
      'text',
      { x: frame.right - 4, y: at - 3, 'text-anchor': 'end' },
      escapeMarkup(limit.label),
    )
  );
}
