import { escapeMarkup } from '@ibench/chart';
import { isQueryStep } from '@ibench/core';
import { html } from '../markup.ts';
import type { PageContext } from './section.ts';

/** A thumbnail of the rate of each row in each step, to see where to look. Drawn by the page's script. */
export function shapesTable({ rows, steps, runs }: PageContext): string {
  const shown = steps.filter((step) =>
    runs.some((run) =>
      run.steps.some((one) => one.step === step && one.metrics?.p50 !== undefined && hasRate(step)),
    ),
  );
  if (shown.length === 0) return '';
  const head = ['tag', ...shown].map((name, i) =>
    html(
      'th',
      { scope: 'col' },
      i === 0 ? name : html('a', { href: `#${name}` }, escapeMarkup(name)),
    ),
  );
  const body = rows.map((group, row) =>
    html(
      'tr',
      {},
      html('th', { scope: 'row' }, html('span', { class: 'name' }, escapeMarkup(group.label))),
      ...shown.map((step) =>
        html(
          'td',
          {},
          html('a', {
            class: 'spark-box',
            href: `#${step}`,
            'data-step': step,
            'data-chart': `${isQueryStep(step) ? 'query' : 'insert'}-rate`,
            'data-row': row,
            'aria-label': `rate of ${group.label} in ${step}`,
          }),
        ),
      ),
    ),
  );
  return html(
    'section',
    { class: 'table', id: 't-shapes' },
    html('h4', {}, 'Rate over time'),
    html(
      'p',
      { class: 'note' },
      'Inserts per second in l.*, queries per second in q*, from zero to the largest of the step',
    ),
    html(
      'div',
      { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': 'Rate over time' },
      html('table', {}, html('thead', {}, html('tr', {}, ...head)), html('tbody', {}, ...body)),
    ),
  );
}

/** Index builds and settling have no rate per second. */
function hasRate(step: string): boolean {
  return step !== 'l.x' && step !== 'settle';
}
