import { scaleLinear, scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import { bottomAxis, decades, frameOf, leftAxis, type Scale } from './frame.ts';
import { markerAt } from './marker.ts';
import type { CurveChart, Points, View } from './spec.ts';
import { rowStyle } from './style.ts';
import { element } from './svg.ts';
import { rowGroup, rowLabels, wrapChart } from './wrap.ts';

const GUTTER = 210;
const HEIGHT = 230;
const CAPTION = 17;

/** Response time over percentile, with the tail drawn out: one step right is ten times rarer. */
export function drawCurveChart(spec: CurveChart<Points>, view: View): string {
  const rows = spec.rows.filter(({ row }) => !view.hidden.has(row));
  const frame = frameOf(view, GUTTER);
  const top = 8 + (frame.gutter === 0 ? rows.length * CAPTION : 0);
  const each = Math.max(15, Math.min(34, HEIGHT / Math.max(1, rows.length)));
  const bottom = top + Math.max(HEIGHT, frame.gutter === 0 ? 0 : each * rows.length);
  const all = rows.flatMap(({ line: points }) => Array.from(points.y)).filter((value) => value > 0);
  const low = 10 ** Math.floor(Math.log10(least(all)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(low * 10, most(all))));
  const nines = Math.max(1, ...rows.map(({ line: { x } }) => Math.ceil(x[x.length - 1] ?? 0)));
  const x: Scale = scaleLinear().domain([0, nines]).range([frame.left, frame.right]);
  const y: Scale = scaleLog().domain([low, high]).range([bottom, top]).clamp(true);
  const ticks = percentileTicks(nines, frame.right - frame.left);
  const labelOf = rowLabels(spec.rows, frame);
  const labels = rows.map((row, i) => {
    const at = frame.gutter === 0 ? 14 + i * CAPTION : top + 12 + i * each;
    return labelOf({ ...row, notes: each < 30 ? [] : row.notes.slice(0, 1) }, at);
  });
  return wrapChart(spec, view, bottom + 34, [
    leftAxis(y, frame, spec.unit, decades(low, high)),
    bottomAxis(x, [top, bottom], percentileName, { labels: true, ticks }),
    ...rows.map(({ row, line: points }) => curve(row, points, x, y)),
    ...labels,
    element(
      'text',
      { x: (frame.left + frame.right) / 2, y: bottom + 28, 'text-anchor': 'middle' },
      'percentile',
    ),
  ]);
}

function least(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY) || 1;
}

function most(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function curve(row: number, points: Points, x: Scale, y: Scale): string {
  const { dash, marker } = rowStyle(row);
  const indexes = Array.from(points.x, (_, i) => i);
  const path = line<number>()
    .x((i) => x(points.x[i]!))
    .y((i) => y(points.y[i]!))
    .digits(1)(indexes);
  const last = Math.floor(points.x[points.x.length - 1] ?? 0);
  const marks = Array.from({ length: last + 1 }, (_, nines) => {
    const i = indexes.find((index) => points.x[index]! >= nines);
    return i === undefined ? '' : markerAt(marker, x(points.x[i]!), y(points.y[i]!));
  });
  return rowGroup(
    row,
    {},
    element('path', { class: 'line', d: path ?? '', 'stroke-dasharray': dash }),
    ...marks,
  );
}

/** p50 and each further nine, or every few of them where they would touch. */
function percentileTicks(nines: number, width: number): number[] {
  const every = Math.ceil((nines * 66) / width);
  const all = Array.from({ length: nines }, (_, i) => i + 1).filter((nine) => nine % every === 0);
  return every === 1 && width / nines > 60 ? [Math.log10(2), ...all] : all;
}

/** 0.301 is p50, 1 is p90, 3 is p99.9. */
function percentileName(nines: number): string {
  if (nines < 1) return 'p50';
  if (nines < 3) return nines === 1 ? 'p90' : 'p99';
  return `p99.${'9'.repeat(Math.round(nines) - 2)}`;
}
