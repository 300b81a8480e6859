import { scaleLinear, scaleLog } from 'd3-scale';
import { distinctLabels } from './distinct-labels.ts';
import { bottomAxis, type Frame, frameOf, type Scale } from './frame.ts';
import type { Estimate, ForestChart, ForestRow, View } from './spec.ts';
import { element, escapeMarkup, round } from './svg.ts';
import { BOLD, LABEL_GAP, nameRoom, PLAIN, rowGroup, wrapChart } from './wrap.ts';

/** Widths beside the plot: of the names, and at least of the numbers after them. */
const NAMES = 160;
const NUMBERS = 120;
const LINE = 20;
/** Height of a line's text above it, where there is no gutter. */
const CAPTION = 15;
/** Between groups. */
const GAP = 9;
const HALF_SQUARE = 3.5;

/** A line of the plot. */
interface Line {
  readonly row: ForestRow;
  readonly estimate: Estimate;
  /** Middle of its marks. */
  readonly y: number;
  /** Of its group, on the first of its lines. */
  readonly heading: string | null;
}

/** A line per group and row: the ratio as a square, repeats as dots, their spread as a bar, what is no change as a band. */
export function drawForestChart(spec: ForestChart, view: View): string {
  const rows = spec.rows.filter(({ row }) => !view.hidden.has(row));
  const numbers = PLAIN * longestText(spec.rows).length;
  const frame = frameOf(view, NAMES + Math.max(NUMBERS, numbers));
  const { lines, bottom } = placeLines(spec, rows, frame.gutter === 0 ? CAPTION : 0);
  const { x, ticks } = ratioScale(spec, lines, frame);
  const textOf = lineTexts(spec, frame);
  return wrapChart(spec, view, bottom + 20, [
    band(spec.band, x, bottom),
    bottomAxis(x, [0, bottom], (tick) => `${Number(tick.toFixed(3))}`, { labels: true, ticks }),
    element('path', { class: 'unity', d: `M${Math.round(x(1)) + 0.5} 0V${bottom}` }),
    ...lines.map((line) => drawLine(line, { x, frame, text: textOf(line) })),
  ]);
}

function placeLines(
  { groups }: ForestChart,
  rows: readonly ForestRow[],
  caption: number,
): { readonly lines: readonly Line[]; readonly bottom: number } {
  const lines: Line[] = [];
  let y = GAP / 2;
  for (const [group, name] of groups.entries()) {
    const own = rows.flatMap((row) =>
      row.estimates.filter((one) => one.group === group).map((estimate) => ({ row, estimate })),
    );
    if (own.length === 0) continue;
    for (const [i, one] of own.entries()) {
      lines.push({ ...one, y: y + caption + LINE / 2, heading: i === 0 ? name : null });
      y += LINE + caption;
    }
    y += GAP;
  }
  return { lines, bottom: y };
}

/** Logarithmic, so that half and twice as fast are as far from 1; zero is at the left edge. */
function ratioScale(
  { band: [low, high] }: ForestChart,
  lines: readonly Line[],
  frame: Frame,
): { readonly x: Scale; readonly ticks: readonly number[] } {
  const all = lines
    .flatMap(({ estimate: { ratio, repeats } }) => [ratio, ...repeats])
    .filter((one) => one > 0);
  const [least, largest] = [Math.min(low, ...all), Math.max(high, ...all)];
  const margin = (largest / least) ** 0.05;
  const domain = [least / margin, largest * margin] as const;
  const x = scaleLog().domain(domain).range([frame.left, frame.right]).clamp(true);
  const most = Math.max(3, Math.round((frame.right - frame.left) / 70));
  return { x, ticks: ratioTicks(domain, most) };
}

/** Above this, round steps of the ratio would crowd at one end. */
const WIDE = 3;

/** Round steps, or powers of two where the axis is wide. */
function ratioTicks([low, high]: readonly [number, number], most: number): number[] {
  if (high / low < WIDE) return scaleLinear().domain([low, high]).ticks(most);
  const [first, last] = [Math.ceil(Math.log2(low)), Math.floor(Math.log2(high))];
  const every = Math.ceil((last - first + 1) / most);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    .filter((power) => power % every === 0)
    .map((power) => 2 ** power);
}

function band([low, high]: readonly [number, number], x: Scale, bottom: number): string {
  return element('rect', {
    class: 'band',
    x: x(low),
    y: 0,
    width: x(high) - x(low),
    height: bottom,
  });
}

function drawLine(
  { row, estimate, y, heading }: Line,
  { x, frame, text }: { readonly x: Scale; readonly frame: Frame; readonly text: string },
): string {
  const { ratio, spread, repeats, fill } = estimate;
  const dots = repeats.map((repeat) => `M${round(x(repeat))} ${y}h0`).join('');
  const marks = rowGroup(
    row.row,
    {},
    dots === ''
      ? ''
      : element('path', { class: 'dots', d: dots, style: 'stroke-width:7px;opacity:.35' }),
    spread === null
      ? ''
      : element('path', {
          class: 'line',
          d: `M${round(x(spread[0]))} ${y}H${round(x(spread[1]))}`,
        }),
    element('rect', {
      class: 'marker',
      x: x(ratio) - HALF_SQUARE,
      y: y - HALF_SQUARE,
      width: 2 * HALF_SQUARE,
      height: 2 * HALF_SQUARE,
      style: fill === 'full' ? undefined : 'fill:none',
    }),
    fill === 'hatched' ? hatching(x(ratio), y) : '',
    text,
  );
  if (heading === null) return marks;
  const name = { x: frame.left - 8, y: y + 4, 'text-anchor': 'end' };
  return element('text', name, escapeMarkup(heading)) + marks;
}

/** Lines across the square around this place, from its lower left to its upper right. */
function hatching(x: number, y: number): string {
  const [left, right] = [round(x - HALF_SQUARE), round(x + HALF_SQUARE)];
  const [top, bottom] = [y - HALF_SQUARE, y + HALF_SQUARE];
  const d = `M${left} ${y}L${round(x)} ${top}M${left} ${bottom}L${right} ${top}M${round(x)} ${bottom}L${right} ${y}`;
  return element('path', { class: 'hatching', d });
}

/** Draws a row's name and the numbers of a line. */
type DrawText = (line: Line) => string;

/** The row and its numbers: beside the plot, or above the line where there is no gutter. */
function lineTexts({ rows }: ForestChart, frame: Frame): DrawText {
  const isAbove = frame.gutter === 0;
  const numbers = longestText(rows);
  const room = isAbove
    ? nameRoom(frame.right - frame.left, numbers)
    : Math.floor((NAMES - 14) / BOLD);
  const names = distinctLabels(
    rows.map(({ label }) => label),
    room,
  );
  return ({ row: { label }, estimate: { text }, y }) => {
    const name = escapeMarkup(names.get(label) ?? label);
    const title = element('title', {}, escapeMarkup(label));
    if (isAbove) {
      const at = { x: frame.left, y: y - LINE / 2 - 1 };
      const spans = [
        element('tspan', { class: 'label' }, name),
        element('tspan', { dx: LABEL_GAP }, escapeMarkup(text)),
      ];
      return element('text', at, ...spans, title);
    }
    return (
      element('text', { class: 'label', x: frame.right + 10, y: y + 4 }, name, title) +
      element('text', { x: frame.right + NAMES, y: y + 4 }, escapeMarkup(text))
    );
  };
}

function longestText(rows: readonly ForestRow[]): string {
  const texts = rows.flatMap(({ estimates }) => estimates.map(({ text }) => text));
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}
