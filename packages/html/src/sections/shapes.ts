import { escapeMarkup } from '@ibench/chart';
import { isQueryStep } from '@ibench/core';
import { html, scrolledTable } from '../markup.ts';
import type { PageContext } from './section.ts';

/** A thumbnail of the rate of each row in each step, to see where to look. Drawn by the page's script. */
export function shapesTable({ rows, steps, runs }: PageContext): string {
  const done = new Set(
    runs
      .flatMap((run) => run.steps.filter(({ metrics }) => metrics !== null))
      .map(({ step }) => step),
  );
  const shown = steps.filter((step) => hasRate(step) && done.has(step));
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
    scrolledTable({ label: 'Rate over time' }, head, body),
  );
}

/** Index builds and settling have no rate per second. */
function hasRate(step: string): boolean {
  return step !== 'l.x' && step !== 'settle';
}
