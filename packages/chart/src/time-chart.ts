import { scaleLinear, scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import { activityLegend, activityMarks, hasActivity } from './activity-marks.ts';
import { dots } from './dots.ts';
import { bottomAxis, decades, type Frame, frameOf, leftAxis, type Scale } from './frame.ts';
import { markerAt } from './marker.ts';
import type { Points, TimeChart, TimeRow, View } from './spec.ts';
import { rowStyle } from './style.ts';
import { element, escapeMarkup } from './svg.ts';
import { rowGroup, rowLabels, wrapChart } from './wrap.ts';

const GUTTER = 168;
const PANEL = 76;
const GAP = 16;
const OVERLAY = 220;
const AXIS = 34;
/** Height of a label above its panel, where there is no gutter. */
const CAPTION = 17;

/** Small multiples with one y scale, or one panel with the lines of all. */
export function drawTimeChart(spec: TimeChart<Points>, view: View): string {
  const rows = spec.rows.filter(({ row }) => !view.hidden.has(row));
  const frame = frameOf(view, GUTTER);
  const x = timeScale(spec.seconds, view, frame);
  const draw = view.overlay ? overlayPanel : panels;
  const { height, content } = draw({ spec, rows, frame, x, view });
  const hasMarks = !view.overlay && rows.some(({ server }) => hasActivity(server));
  const legend = hasMarks ? activityLegend(frame, height) : { svg: '', height: 0 };
  const total = height + AXIS + legend.height;
  return wrapChart(spec, view, total, [...content, axisTitle(frame, height), legend.svg]);
}

/** Seconds of the step, or those that are zoomed into, to pixels. */
export function timeScale(seconds: number, view: View, frame: Frame): Scale {
  return scaleLinear()
    .domain(view.range ?? [0, Math.max(1, seconds)])
    .range([frame.left, frame.right]);
}

/** Steps of a time axis, seconds: what a clock divides. */
const TIME_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 36_000, 86_400,
];

/** Ticks of the time axis: fewer where it is narrow. */
export function timeTicks(x: Scale, frame: Frame): number[] {
  const [from, to] = x.domain() as [number, number];
  const most = Math.max(2, Math.round((frame.right - frame.left) / 64));
  const step = TIME_STEPS.find((one) => (to - from) / one <= most) ?? 86_400;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) => (first + i) * step);
}

/** What the time axis is in. */
export function axisTitle(frame: Frame, bottom: number): string {
  const middle = (frame.left + frame.right) / 2;
  return element(
    'text',
    { x: middle, y: bottom + 28, 'text-anchor': 'middle' },
    'seconds since the step started',
  );
}

interface Drawing {
  readonly spec: TimeChart<Points>;
  readonly rows: readonly TimeRow<Points>[];
  readonly frame: Frame;
  readonly x: Scale;
  readonly view: View;
}

interface Drawn {
  readonly height: number;
  readonly content: readonly string[];
}

function panels(drawing: Drawing): Drawn {
  const { spec, rows, frame, x } = drawing;
  const caption = frame.gutter === 0 ? CAPTION : 0;
  const each = PANEL + GAP + caption;
  const base = spec.rows.find(({ row }) => row === 0);
  const labelOf = rowLabels(spec.rows, frame);
  const content = rows.map((row, i) => {
    const top = i * each + 6 + caption;
    const last = i === rows.length - 1;
    const y = valueScale(spec, rows, [top + PANEL, top]);
    const ghost = base !== undefined && row.row !== 0 ? ghostLine(base, x, y) : '';
    return [
      plotBox(frame, [top, top + PANEL]),
      leftAxis(y, frame, spec.unit, valueTicks(spec, y, 4)),
      bottomAxis(x, [top, top + PANEL], String, { labels: last, ticks: timeTicks(x, frame) }),
      clipped(
        frame,
        [top, top + PANEL],
        row.server === null ? '' : activityMarks(row.server, x, [top, top + PANEL]),
        targetLine(spec, frame, y),
        rowGroup(row.row, {}, dots(row.dots, x, y)),
        ghost,
        rowGroup(row.row, {}, lineOf(row.line, x, y, undefined)),
      ),
      cursorLine([top, top + PANEL]),
      labelOf(row, caption === 0 ? top + 12 : top - 6),
    ].join('');
  });
  return { height: rows.length * each - GAP + 6, content };
}

function overlayPanel(drawing: Drawing): Drawn {
  const { spec, rows, frame, x } = drawing;
  const captions = frame.gutter === 0 ? rows.length * CAPTION : 0;
  const top = 8 + captions;
  const each = Math.max(15, Math.min(34, OVERLAY / Math.max(1, rows.length)));
  const bottom = top + Math.max(OVERLAY, frame.gutter === 0 ? 0 : each * rows.length);
  const y = valueScale(spec, rows, [bottom, top]);
  const lines = rows.map((row) =>
    rowGroup(
      row.row,
      {},
      spec.scale === 'log' ? dots(row.dots, x, y) : '',
      lineOf(row.line, x, y, rowStyle(row.row).dash),
      markersOn(row, x, y),
    ),
  );
  const labelOf = rowLabels(spec.rows, frame);
  const labels = rows.map((row, i) => {
    const at = frame.gutter === 0 ? 14 + i * CAPTION : top + 12 + i * each;
    return labelOf({ ...row, notes: each < 30 ? [] : row.notes.slice(0, 1) }, at);
  });
  const content = [
    plotBox(frame, [top, bottom]),
    leftAxis(y, frame, spec.unit, valueTicks(spec, y, 6)),
    bottomAxis(x, [top, bottom], String, { labels: true, ticks: timeTicks(x, frame) }),
    clipped(frame, [top, bottom], targetLine(spec, frame, y), ...lines),
    cursorLine([top, bottom]),
    ...labels,
  ];
  return { height: bottom, content };
}

/** Tells the page where the plot is. */
export function plotBox(frame: Frame, [top, bottom]: readonly [number, number]): string {
  const box = { x: frame.left, y: top, width: frame.right - frame.left, height: bottom - top };
  return element('rect', { ...box, class: 'plot', fill: 'none', 'pointer-events': 'all' });
}

/** Cut off at the edges of the plot, without an id: charts of many steps are in one page. */
export function clipped(
  frame: Frame,
  [top, bottom]: readonly [number, number],
  ...content: string[]
): string {
  const [width, height] = [frame.right - frame.left, bottom - top + 4];
  const box = { x: frame.left, y: top - 2, width, height };
  return element(
    'svg',
    { ...box, viewBox: `${frame.left} ${top - 2} ${width} ${height}` },
    ...content,
  );
}

/** Placed by the page where the pointer is. */
function cursorLine([top, bottom]: readonly [number, number]): string {
  return element('path', { class: 'cursor', d: `M0 ${top}V${bottom}`, visibility: 'hidden' });
}

function valueScale(
  spec: TimeChart<Points>,
  rows: readonly TimeRow<Points>[],
  range: readonly [number, number],
): Scale {
  const { least, largest } = extremes(rows.flatMap((row) => [row.dots, row.line]));
  if (spec.scale === 'log') {
    const low = 10 ** Math.floor(Math.log10(least || 1));
    const high = 10 ** Math.ceil(Math.log10(Math.max(largest, low * 10)));
    return scaleLog().domain([low, high]).range(range).clamp(true);
  }
  const top = Math.max(largest, spec.target ?? 0) || 1;
  return scaleLinear().domain([0, top]).nice(4).range(range);
}

function valueTicks(spec: TimeChart<Points>, y: Scale, count: number): number[] {
  const [low, high] = y.domain();
  return spec.scale === 'log' ? decades(low!, high!) : y.ticks(count);
}

/** Least positive and largest value; 0 where there is none. */
function extremes(series: readonly Points[]): { least: number; largest: number } {
  let [least, largest] = [Number.POSITIVE_INFINITY, 0];
  for (const { y } of series) {
    for (let i = 0; i < y.length; i++) {
      const value = y[i]!;
      if (value > largest) largest = value;
      if (value > 0 && value < least) least = value;
    }
  }
  return { least: Number.isFinite(least) ? least : 0, largest };
}

function lineOf(points: Points, x: Scale, y: Scale, dash: string | undefined): string {
  const path = line<number>()
    .defined((i) => !Number.isNaN(points.y[i]!))
    .x((i) => x(points.x[i]!))
    .y((i) => y(points.y[i]!))
    .digits(1)(Array.from(points.x, (_, i) => i));
  if (!path) return '';
  return element('path', { class: 'line', d: path, 'stroke-dasharray': dash });
}

function ghostLine(base: TimeRow<Points>, x: Scale, y: Scale): string {
  return rowGroup(base.row, { class: 'ghost' }, lineOf(base.line, x, y, undefined));
}

/** A few markers on the line, at other places for each row. */
function markersOn(row: TimeRow<Points>, x: Scale, y: Scale): string {
  const [from, to] = x.domain();
  const { marker } = rowStyle(row.row);
  const inside = Array.from(row.line.x, (_, i) => i).filter(
    (i) => row.line.x[i]! >= from! && row.line.x[i]! <= to! && !Number.isNaN(row.line.y[i]!),
  );
  const every = Math.max(1, Math.floor(inside.length / 6));
  return inside
    .filter((_, i) => i % every === (row.row * 7) % every)
    .map((i) => markerAt(marker, x(row.line.x[i]!), y(row.line.y[i]!)))
    .join('');
}

function targetLine(spec: TimeChart<Points>, frame: Frame, y: Scale): string {
  if (spec.target === null) return '';
  const at = Math.round(y(spec.target)) + 0.5;
  return element(
    'path',
    { class: 'target', d: `M${frame.left} ${at}H${frame.right}` },
    element('title', {}, escapeMarkup('rate that was asked for')),
  );
}
