import { summaryMarkdown, verdictOf } from '@ibench/report';
import { about, machine, validity } from './header.ts';
import { type PageInput, pageContext, pageTitle } from './page.ts';
import { isLongList, notDoneLines } from './sections/caveats.ts';
import { isLeading } from './sections/page-sections.ts';

/** The head of the same report as markdown: what it is about, what changed, and the tables over all steps. */
export function buildSummary(input: PageInput): string {
  const context = pageContext(input);
  const { rows, steps, tables } = context;
  return summaryMarkdown({
    title: pageTitle(rows),
    about: [
      about(context),
      ...[machine(context), validity(context)].map((texts) => texts.join(' · ')),
    ].filter((line) => line !== ''),
    notDone: notDoneLines(context),
    verdict: verdictOf(rows, steps),
    tables: tables.filter((table) => isLeading(table) && !isLongList(table)),
  });
}
