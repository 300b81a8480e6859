import { distinctLabels, escapeMarkup, rowStyle } from '@ibench/chart';
import type { RunGroup } from '@ibench/report';
import { html } from './markup.ts';

/** So many of many rows are drawn at first. */
const SHOWN_ROWS = 8;

/** What the reader can choose: rows, with a switch and a sample of their lines each; overlay, zoom, colours. */
export function controls(rows: readonly RunGroup[]): string {
  const names = distinctLabels(
    rows.map(({ label }) => label),
    36,
  );
  const switches = rows.map(({ label }, row) =>
    html(
      'label',
      { class: rowStyle(row).className, title: label },
      `<input type="checkbox" data-row="${row}"${row < SHOWN_ROWS ? ' checked' : ''}>`,
      html('span', { class: 'mark', 'data-row': row }),
      html(
        'span',
        {},
        escapeMarkup(names.get(label)!) + (row === 0 && rows.length > 1 ? ' (base)' : ''),
      ),
    ),
  );
  const note =
    rows.length > SHOWN_ROWS
      ? html(
          'span',
          { class: 'note' },
          `${SHOWN_ROWS} of ${rows.length} rows are drawn: choose others`,
        )
      : '';
  return html(
    'div',
    { class: 'controls', role: 'group', 'aria-label': 'Charts' },
    html('div', { class: 'rows' }, ...switches, note),
    '<button type="button" id="overlay" aria-pressed="false">Overlay</button>',
    '<button type="button" id="reset" disabled>Reset zoom</button>',
    '<button type="button" id="theme">Dark or light</button>',
    html(
      'span',
      { class: 'note' },
      'Charts over seconds: drag across to zoom, double click to see all; with keys: Tab to a chart, arrows, + and −, 0 for all',
    ),
    '<noscript>The charts need scripts; the tables do not.</noscript>',
  );
}
