import { scaleLinear } from 'd3-scale';
import { formatTick } from './format.ts';
import { bottomAxis, frameOf } from './frame.ts';
import { markerAt } from './marker.ts';
import type { DotChart, View } from './spec.ts';
import { rowStyle } from './style.ts';
import { element } from './svg.ts';
import { rowGroup, rowLabels, wrapChart } from './wrap.ts';

const GUTTER = 210;
const EACH = 34;
const CAPTION = 17;

/** A line per row from its least to its largest value, and a marker for each value. The axis starts at zero. */
export function drawDotChart(spec: DotChart, view: View): string {
  const rows = spec.rows.filter(({ row }) => !view.hidden.has(row));
  const frame = { ...frameOf(view, GUTTER), left: 12 };
  const caption = frame.gutter === 0 ? CAPTION : 0;
  const each = EACH + caption;
  const bottom = rows.length * each + 4;
  const x = scaleLinear()
    .domain([0, Math.max(...rows.flatMap(({ values }) => values), 0) || 1])
    .nice(5)
    .range([frame.left, frame.right]);
  const ticks = x.ticks(Math.max(2, Math.round((frame.right - frame.left) / 110)));
  const labelOf = rowLabels(spec.rows, frame);
  const lines = rows.map((row, i) => {
    const middle = 4 + i * each + caption + 12;
    const [least, largest] = [Math.min(...row.values), Math.max(...row.values)];
    const span = element('path', { class: 'line', d: `M${x(least)} ${middle}H${x(largest)}` });
    const { marker } = rowStyle(row.row);
    return (
      rowGroup(
        row.row,
        {},
        span,
        ...row.values.map((value) => markerAt(marker, x(value), middle)),
      ) +
      labelOf({ ...row, notes: row.notes.slice(0, 1) }, caption === 0 ? middle - 2 : middle - 15)
    );
  });
  return wrapChart(spec, view, bottom + 20, [
    bottomAxis(x, [0, bottom], (tick) => formatTick(spec.unit, tick), { labels: true, ticks }),
    ...lines,
  ]);
}
