import { scaleLinear } from 'd3-scale';
import { type Frame, frameOf, leftAxis, type Scale } from './frame.ts';
import { markerAt } from './marker.ts';
import type { BorderChart, BorderRow, View } from './spec.ts';
import { rowStyle } from './style.ts';
import { element, escapeMarkup, round } from './svg.ts';
import { rowGroup, rowLabels, wrapChart } from './wrap.ts';

const GUTTER = 210;
const HEIGHT = 200;
const CAPTION = 17;
/** Narrower columns have their names upright. */
const NARROW_COLUMN = 46;

/** A step is drawn over this part of its column, so that a gap shows what happened between two steps. */
const INSET = 0.18;

/** One panel, a column per step: a line from the value at its start to the one at its end, for each row. */
export function drawBorderChart(spec: BorderChart, view: View): string {
  const rows = spec.rows.filter(({ row }) => !view.hidden.has(row));
  const frame = frameOf(view, GUTTER);
  const top = 8 + (frame.gutter === 0 ? rows.length * CAPTION : 0);
  const each = Math.max(15, Math.min(34, HEIGHT / Math.max(1, rows.length)));
  const bottom = top + Math.max(HEIGHT, frame.gutter === 0 ? 0 : each * rows.length);
  const values = rows.flatMap(({ steps }) => steps.flat()).filter((value) => value !== null);
  const y = scaleLinear()
    .domain([0, Math.max(0, ...values) || 1])
    .nice(4)
    .range([bottom, top]);
  const column = (frame.right - frame.left) / Math.max(1, spec.steps.length);
  const isNarrow = column < NARROW_COLUMN;
  const labelOf = rowLabels(spec.rows, frame);
  const labels = rows.map((row, i) => {
    const at = frame.gutter === 0 ? 14 + i * CAPTION : top + 12 + i * each;
    return labelOf({ ...row, notes: each < 30 ? [] : row.notes.slice(0, 1) }, at);
  });
  return wrapChart(spec, view, bottom + (isNarrow ? 48 : 20), [
    leftAxis(y, frame, spec.unit),
    ...spec.steps.map((name, i) =>
      columnHead(name, frame.left + i * column, { column, top, bottom, isNarrow }),
    ),
    ...rows.map((row) => lineOfRow(row, { frame, column, y })),
    ...labels,
  ]);
}

interface ColumnPlace {
  readonly column: number;
  readonly top: number;
  readonly bottom: number;
  readonly isNarrow: boolean;
}

/** The name of a step under its column, and a line before it. */
function columnHead(name: string, left: number, place: ColumnPlace): string {
  const { column, top, bottom, isNarrow } = place;
  const [x, y] = [round(left + column / 2), bottom + 14];
  const turned = { x: x + 4, y: bottom + 8, transform: `rotate(-90 ${x + 4} ${bottom + 8})` };
  const at = isNarrow ? { ...turned, 'text-anchor': 'end' } : { x, y, 'text-anchor': 'middle' };
  const edge = element('path', { class: 'grid', d: `M${Math.round(left) + 0.5} ${top}V${bottom}` });
  return edge + element('text', at, escapeMarkup(name));
}

interface RowPlace {
  readonly frame: Frame;
  readonly column: number;
  readonly y: Scale;
}

/** A border of a step that has a value, as a place. */
interface Place {
  readonly step: number;
  readonly x: number;
  readonly y: number;
}

/** Lines within the steps, faint ones between them, and a marker at each value. */
function lineOfRow({ row, steps }: BorderRow, { frame, column, y }: RowPlace): string {
  const { dash, marker } = rowStyle(row);
  const places = steps.flatMap((values, step) =>
    values.flatMap((value, border): Place[] => {
      if (value === null) return [];
      const inColumn = border === 0 ? INSET : 1 - INSET;
      return [{ step, x: frame.left + (step + inColumn) * column, y: y(value) }];
    }),
  );
  const pieces = places.slice(1).map((to, i) => {
    const from = places[i]!;
    const d = `M${round(from.x)} ${round(from.y)}L${round(to.x)} ${round(to.y)}`;
    return from.step === to.step
      ? element('path', { class: 'line', d, 'stroke-dasharray': dash })
      : element('path', { class: 'line', d, style: 'stroke-width:1px;opacity:.4' });
  });
  return rowGroup(row, {}, ...pieces, ...places.map((place) => markerAt(marker, place.x, place.y)));
}
