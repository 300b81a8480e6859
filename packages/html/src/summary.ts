import { summaryMarkdown, verdictOf } from '@ibench/report';
import { about, machine } from './header.ts';
import { type PageInput, pageContext, pageTitle } from './page.ts';

/** The head of the same report as markdown: what it is about, what changed, and the tables over all steps. */
export function buildSummary(input: PageInput): string {
  const context = pageContext(input);
  const { rows, steps, tables } = context;
  return summaryMarkdown({
    title: pageTitle(rows),
    about: [about(context), machine(context).join(' · ')].filter((line) => line !== ''),
    verdict: verdictOf(rows, steps),
    tables,
  });
}
