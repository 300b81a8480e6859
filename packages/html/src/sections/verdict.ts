import { escapeMarkup } from '@ibench/chart';
import { verdictOf } from '@ibench/report';
import { html } from '../markup.ts';
import type { PageContext } from './section.ts';

/** What changed, in words, each change with a link to its step; null where there is nothing to compare. */
export function verdictSection({ rows, steps }: PageContext): string | null {
  const verdict = verdictOf(rows, steps);
  if (verdict === null) return null;
  const items = verdict.changes.map(({ step, verdict: kind, text }) =>
    html(
      'li',
      { class: kind === 'improvement' ? 'good' : 'bad' },
      kind === 'improvement' ? '▲ ' : '▼ ',
      html('a', { href: `#${step}` }, escapeMarkup(text)),
    ),
  );
  const notes = verdict.notes.map((note) => html('p', { class: 'note' }, escapeMarkup(note)));
  return (items.length === 0 ? '' : html('ul', { class: 'strip-list' }, ...items)) + notes.join('');
}
