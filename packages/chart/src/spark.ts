import { scaleLinear } from 'd3-scale';
import { dots } from './dots.ts';
import type { Points } from './spec.ts';
import { element, escapeMarkup } from './svg.ts';
import { rowGroup } from './wrap.ts';

/** The shape of a series in a cell of a table: dots only, from zero to `top`. */
export function drawSpark(
  points: Points,
  size: {
    readonly width: number;
    readonly height: number;
    readonly seconds: number;
    readonly top: number;
  },
  text: { readonly row: number; readonly title: string },
): string {
  const { width, height, seconds, top } = size;
  const x = scaleLinear()
    .domain([0, Math.max(1, seconds)])
    .range([1, width - 1]);
  const y = scaleLinear()
    .domain([0, top || 1])
    .range([height - 1, 1]);
  return element(
    'svg',
    {
      class: 'chart spark',
      role: 'img',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      'aria-label': text.title,
    },
    element('title', {}, escapeMarkup(text.title)),
    rowGroup(text.row, {}, dots(points, x, y)),
  );
}
