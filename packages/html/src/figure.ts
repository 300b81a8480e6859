import { escapeMarkup } from '@ibench/chart';
import type { StepChart } from './charts/catalogue.ts';
import { html } from './markup.ts';
import { anchor } from './table-html.ts';

/** The place of a chart: its caption, and a box that the page's script draws into. */
function renderFigure(step: string, chart: StepChart): string {
  const id = `${step}/${chart.id}`;
  return html(
    'figure',
    { id },
    html('figcaption', {}, escapeMarkup(chart.title), anchor(id)),
    html('div', {
      class: 'plot-box',
      'data-step': step,
      'data-chart': chart.id,
      style: `min-height:${expectedHeight(chart)}px`,
    }),
    html('p', { class: 'described' }, escapeMarkup(chart.description)),
  );
}

/** Figures beside each other where there is room. */
export function figurePairs(step: string, charts: readonly StepChart[]): string | null {
  if (charts.length === 0) return null;
  return html('div', { class: 'pairs' }, ...charts.map((chart) => renderFigure(step, chart)));
}

/** Keeps the page from jumping when the chart is drawn. */
function expectedHeight(chart: StepChart): number {
  const rows = Math.min(8, chart.rows.length);
  switch (chart.kind) {
    case 'time':
      return rows * 88 + 28;
    case 'stack':
      return rows * 88 + 48;
    case 'forest':
      return 80 + 20 * chart.rows.slice(0, 8).reduce((sum, one) => sum + one.estimates.length, 0);
    case 'border':
      return 228;
    case 'curve':
      return 272;
    default:
      return rows * 34 + 44;
  }
}
