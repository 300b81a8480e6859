import { scaleLinear } from 'd3-scale';
import { formatTick, formatValue } from './format.ts';
import { bottomAxis, frameOf, type Scale } from './frame.ts';
import { layerLegend } from './layer-legend.ts';
import type { BarChart, View } from './spec.ts';
import { LAYER_COLOURS } from './style.ts';
import { element, escapeMarkup } from './svg.ts';
import { rowLabels, wrapChart } from './wrap.ts';

const GUTTER = 210;
const BAR = 20;
const EACH = 34;
const CAPTION = 17;

/** One bar per row; the segments in the order of the layers, with their values where they fit. */
export function drawBarChart(spec: BarChart, view: View): string {
  const rows = spec.rows.filter(({ row }) => !view.hidden.has(row));
  const frame = { ...frameOf(view, GUTTER), left: 12 };
  const legend = layerLegend(spec.layers, frame, 12);
  const caption = frame.gutter === 0 ? CAPTION : 0;
  const totals = rows.map(({ values }) =>
    values.reduce<number>((sum, v) => sum + Math.max(0, v ?? 0), 0),
  );
  const x = scaleLinear()
    .domain([0, Math.max(...totals, 0) || 1])
    .nice(5)
    .range([frame.left, frame.right]);
  const each = EACH + caption;
  const bottom = legend.height + rows.length * each + 4;
  const ticks = x.ticks(Math.max(2, Math.round((frame.right - frame.left) / 110)));
  const labelOf = rowLabels(spec.rows, frame);
  const bars = rows.map((row, i) => {
    const top = legend.height + 4 + i * each + caption;
    const label = labelOf(
      { ...row, notes: row.notes.slice(0, 1) },
      caption === 0 ? top + 9 : top - 5,
    );
    return segments(row.values, { spec, x, top }) + label;
  });
  return wrapChart(spec, view, bottom + 20, [
    legend.svg,
    bottomAxis(x, [legend.height, bottom], (tick) => formatTick(spec.unit, tick), {
      labels: true,
      ticks,
    }),
    ...bars,
  ]);
}

interface BarPlace {
  readonly spec: BarChart;
  readonly x: Scale;
  readonly top: number;
}

function segments(values: readonly (number | null)[], { spec, x, top }: BarPlace): string {
  let sum = 0;
  return values
    .map((value, i) => {
      if (value === null || value <= 0) return '';
      const [from, to] = [x(sum), x(sum + value)];
      sum += value;
      const text = formatTick(spec.unit, value);
      const fits = to - from > text.length * 6.5 + 4;
      return (
        element(
          'rect',
          { class: `a${i % LAYER_COLOURS}`, x: from, y: top, width: to - from, height: BAR },
          element('title', {}, escapeMarkup(`${spec.layers[i]}: ${formatValue(spec.unit, value)}`)),
        ) + (fits ? element('text', { class: 'inside', x: from + 4, y: top + 14 }, text) : '')
      );
    })
    .join('');
}
