import type { Table } from '@ibench/report';
import { DEBT_CHARTS } from '../charts/debt-charts.ts';
import { OVERVIEW } from '../charts/overview-charts.ts';
import { figurePairs } from '../figure.ts';
import { html, joined } from '../markup.ts';
import { renderTable } from '../table-html.ts';
import { isLongList, notToUse, warningRows } from './caveats.ts';
import { provenanceSection } from './provenance.ts';
import type { PageContext, PageSection } from './section.ts';
import { shapesTable } from './shapes.ts';
import { verdictSection } from './verdict.ts';

/** Tables to read before the numbers. */
const CAVEATS: readonly string[] = ['comparability', 'warnings'];

/** Vacuum debt over the steps. */
const DEBT: readonly string[] = ['dead_share'];

/** What the rows of the report are. */
const SETTINGS: readonly string[] = ['settings'];

/** Is the table part of the report's head: what to read first, and the summary? */
export function isLeading({ id }: Table): boolean {
  return !SETTINGS.includes(id);
}

/** Parts of the page before the steps, in the order in which they are shown. New ones go here. */
export const LEADING_SECTIONS: readonly PageSection[] = [
  {
    id: 'caveats',
    title: 'Read this first',
    render: (page) => joined(notToUse(page), overview(page, CAVEATS)),
  },
  {
    id: 'verdict',
    title: 'What changed',
    render: (page) => joined(verdictSection(page), figures(page, ['relative'])),
  },
  { id: 'summary', title: 'Summary', render: summary },
  {
    id: 'debt',
    title: 'Debt of the server over the steps',
    render: (page) => joined(figures(page, DEBT_CHARTS), overview(page, DEBT)),
  },
];

/** Parts of the page after the steps. */
export const CLOSING_SECTIONS: readonly PageSection[] = [
  { id: 'environment', title: 'Settings and provenance', render: settings },
];

function summary(page: PageContext): string | null {
  const other = page.tables
    .map(({ id }) => id)
    .filter((id) => ![...CAVEATS, ...DEBT, ...SETTINGS].includes(id));
  const tables = overview(page, [...new Set(['summary', 'relative', 'sla', ...other])]);
  return tables === null ? null : tables + shapesTable(page);
}

/** The charts over all steps with these names. */
function figures({ charts }: PageContext, names: readonly string[]): string | null {
  return figurePairs(
    OVERVIEW,
    charts.filter(({ id }) => names.includes(id)),
  );
}

function settings(page: PageContext): string | null {
  return joined(overview(page, SETTINGS), provenanceSection(page));
}

function overview({ tables, steps }: PageContext, ids: readonly string[]): string | null {
  const chosen = ids.flatMap((id) => tables.filter((table) => table.id === id));
  if (chosen.length === 0) return null;
  const linkOf = (key: string): string | undefined => (steps.includes(key) ? `#${key}` : undefined);
  return chosen
    .map((table) => [table, renderTable(table, { id: `t-${table.id}`, linkOf })] as const)
    .map(([table, markup]) => (isLongList(table) ? folded(table, markup) : markup))
    .join('');
}

function folded(table: Table, markup: string): string {
  const warnings = warningRows([table]);
  const others = table.rows.length - warnings;
  const more = others === 0 ? '' : `, and ${others} on what is not done or invalid`;
  return html('details', {}, html('summary', {}, `${table.title}: ${warnings}${more}`), markup);
}
