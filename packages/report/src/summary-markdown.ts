import { escapeText, renderMarkdown } from './markdown.ts';
import type { Table } from './table.ts';
import type { Verdict } from './verdict.ts';

/** What the summary of a report is made from. */
export interface Summary {
  readonly title: string;
  /** What was measured on what, a line each. */
  readonly about: readonly string[];
  /** Runs that are not done, and why, a line each. */
  readonly notDone: readonly string[];
  /** null: there is nothing to compare. */
  readonly verdict: Verdict | null;
  /** Tables over all steps. */
  readonly tables: readonly Table[];
}

/** The head of a report as GitHub-flavoured markdown: what changed, then the tables, to be pasted into a text. */
export function summaryMarkdown({ title, about, notDone, verdict, tables }: Summary): string {
  const blocks = [
    `## ${escapeText(title)}`,
    ...about.map(escapeText),
    ...(notDone.length === 0
      ? []
      : ['### Read this first', notDone.map((line) => `- ${escapeText(line)}`).join('\n')]),
    ...(verdict === null ? [] : verdictBlocks(verdict)),
  ];
  return `${blocks.join('\n\n')}\n\n${renderMarkdown(tables)}`;
}

function verdictBlocks({ changes, notes }: Verdict): string[] {
  const bullets = changes.map(
    ({ verdict, text }) =>
      `- ${verdict === 'improvement' ? '▲' : '▼'} ${withSpread(escapeText(text))}`,
  );
  return [
    '### What changed',
    ...(bullets.length === 0 ? [] : [bullets.join('\n')]),
    ...notes.map(escapeText),
  ];
}

/** Two numbers in brackets are no link, and are easier to read without backslashes where nobody renders them. */
function withSpread(escaped: string): string {
  return escaped.replace(/\\\[(\d[\d.]*, \d[\d.]*)\\\] /g, '[$1] ');
}
