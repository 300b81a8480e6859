import { drawBarChart } from './bar-chart.ts';
import { drawBorderChart } from './border-chart.ts';
import { drawCurveChart } from './curve-chart.ts';
import { drawDotChart } from './dot-chart.ts';
import { drawForestChart } from './forest-chart.ts';
import type { ChartSpec, View } from './spec.ts';
import { drawStackChart } from './stack-chart.ts';
import { chartCss, groundColour, type Theme } from './style.ts';
import { element, escapeMarkup } from './svg.ts';
import { drawTimeChart } from './time-chart.ts';

/** A chart as SVG text, for a page that has the style sheet of `chartCss`. */
export function drawChart(spec: ChartSpec, view: View): string {
  switch (spec.kind) {
    case 'time':
      return drawTimeChart(spec, view);
    case 'stack':
      return drawStackChart(spec, view);
    case 'curve':
      return drawCurveChart(spec, view);
    case 'bar':
      return drawBarChart(spec, view);
    case 'dot':
      return drawDotChart(spec, view);
    case 'border':
      return drawBorderChart(spec, view);
    case 'forest':
      return drawForestChart(spec, view);
    default: {
      const never: never = spec;
      return never;
    }
  }
}

const TITLE_HEIGHT = 26;

/** The same as a file of its own: title and style sheet inside. */
export function drawStandalone(spec: ChartSpec, view: View, theme: Theme): string {
  const inner = drawChart(spec, view);
  const [, height] = /viewBox="0 0 \d+ (\d+)"/.exec(inner)!;
  const total = Number(height) + TITLE_HEIGHT;
  const width = Math.round(view.width);
  const svg = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'chart',
      viewBox: `0 0 ${width} ${total}`,
      width,
      height: total,
    },
    element(
      'style',
      {},
      escapeMarkup(chartCss(theme)).replaceAll('&quot;', '"').replaceAll('&gt;', '>'),
    ),
    theme === 'auto' ? '' : element('rect', { width, height: total, fill: groundColour(theme) }),
    element('text', { class: 'title', x: 10, y: 18 }, escapeMarkup(spec.title)),
    inner.replace('<svg ', `<svg y="${TITLE_HEIGHT}" `),
  );
  return `${svg}\n`;
}
