import { escapeMarkup } from '@ibench/chart';
import type { Audit } from '@ibench/core';
import { changeSentences, type RunGroup } from '@ibench/report';
import { html } from '../markup.ts';
import { renderTable } from '../table-html.ts';
import { notToUse } from './caveats.ts';
import { provenanceSection } from './provenance.ts';
import type { PageContext, PageSection } from './section.ts';
import { shapesTable } from './shapes.ts';

/** Tables to read before the numbers. */
const CAVEATS: readonly string[] = ['comparability', 'warnings'];

/** Parts of the page before the steps, in the order in which they are shown. New ones go here. */
export const LEADING_SECTIONS: readonly PageSection[] = [
  {
    id: 'caveats',
    title: 'Read this first',
    render: (page) => {
      const parts = [notToUse(page), overview(page, CAVEATS)].filter((part) => part !== null);
      return parts.length === 0 ? null : parts.join('');
    },
  },
  { id: 'verdict', title: 'What changed', render: verdict },
  { id: 'summary', title: 'Summary', render: summary },
];

/** Parts of the page after the steps. */
export const CLOSING_SECTIONS: readonly PageSection[] = [
  { id: 'environment', title: 'Settings and provenance', render: provenanceSection },
];

const SHOWN_CHANGES = 6;

/** The changes that are outside ±5%, in words; null where there is nothing to compare. */
function verdict({ rows, steps }: PageContext): string | null {
  if (rows.length < 2) return null;
  const changes = changeSentences(rows, rows[0]!, steps);
  if (changes.length === 0) {
    return html('p', {}, escapeMarkup(`No step differs from ${rows[0]!.label} by 5% or more.`));
  }
  const items = changes
    .slice(0, SHOWN_CHANGES)
    .map(({ step, verdict: kind, text }) =>
      html(
        'li',
        { class: kind === 'improvement' ? 'good' : 'bad' },
        kind === 'improvement' ? '▲ ' : '▼ ',
        html('a', { href: `#${step}` }, escapeMarkup(text)),
      ),
    );
  const more = changes.length - SHOWN_CHANGES;
  const rest = more > 0 ? html('p', {}, `And ${more} more: see the relative table.`) : '';
  return html('ul', { class: 'strip-list' }, ...items) + rest + doubts(rows, changes);
}

/** What makes these changes less sure: rows of one run, and steps that came with warnings. */
function doubts(rows: readonly RunGroup[], changes: readonly { readonly step: string }[]): string {
  const single = rows.filter(({ runs }) => runs.length === 1).map(({ label }) => label);
  const changed = new Set(changes.map(({ step }) => step));
  const warned = rows.flatMap(({ label, runs }) =>
    runs.flatMap(({ steps }) =>
      steps
        .filter(({ step, warnings, audits }) => changed.has(step) && isWarned(warnings, audits))
        .map(({ step }) => `${label} ${step}`),
    ),
  );
  const notes = [
    single.length === 0
      ? []
      : single.length === rows.length
        ? ['One run each: no spread known.']
        : [`One run, so no spread known: ${single.join(', ')}.`],
    warned.length === 0 ? [] : [`With warnings: ${[...new Set(warned)].join(', ')}.`],
  ].flat();
  return notes.map((note) => html('p', { class: 'note' }, escapeMarkup(note))).join('');
}

function isWarned(warnings: readonly string[], audits: readonly Audit[]): boolean {
  return warnings.length > 0 || audits.some(({ verdict }) => verdict === 'warned');
}

function summary(page: PageContext): string | null {
  const other = page.tables.map(({ id }) => id).filter((id) => !CAVEATS.includes(id));
  const tables = overview(page, [...new Set(['summary', 'relative', 'sla', ...other])]);
  return tables === null ? null : tables + shapesTable(page);
}

function overview({ tables, steps }: PageContext, ids: readonly string[]): string | null {
  const chosen = ids.flatMap((id) => tables.filter((table) => table.id === id));
  if (chosen.length === 0) return null;
  const linkOf = (key: string): string | undefined => (steps.includes(key) ? `#${key}` : undefined);
  return chosen.map((table) => renderTable(table, { id: `t-${table.id}`, linkOf })).join('');
}
