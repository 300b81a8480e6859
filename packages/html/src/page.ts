import { chartCss, distinctLabels, escapeMarkup } from '@ibench/chart';
import type { RunRecord } from '@ibench/core';
import { bundleScript, FLAME_CSS, flameScript } from '@ibench/flamegraph';
import { type RunGroup, reportRows, runsOf, type Table } from '@ibench/report';
import { stepCharts } from './charts/catalogue.ts';
import { OVERVIEW, overviewCharts } from './charts/overview-charts.ts';
import { controls } from './controls.ts';
import { stepFlames } from './flames.ts';
import { header } from './header.ts';
import { html } from './markup.ts';
import { limitsFor, type Payload, packCharts } from './payload.ts';
import { type Evidence, stepRows } from './rows.ts';
import { invalidNotes } from './sections/caveats.ts';
import { CLOSING_SECTIONS, LEADING_SECTIONS } from './sections/page-sections.ts';
import type { PageContext, PageSection } from './sections/section.ts';
import { STEP_SECTIONS } from './sections/step-sections.ts';
import { PAGE_CSS } from './styles.ts';
import { anchor } from './table-html.ts';

/** What a page is made from. */
export interface PageInput {
  readonly runs: readonly RunRecord[];
  /** Of `buildReport` with `apart`; those with a step are shown on the page of their step. */
  readonly tables: readonly Table[];
  /** Steps to show, in their order. */
  readonly steps: readonly string[];
  /** Tag of the base; the first row unless given. */
  readonly base?: string | undefined;
  readonly evidence: Evidence;
}

/** Enforces what the page promises: nothing is loaded from anywhere. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/** A report as one HTML file that needs nothing else. Tables are in the markup, charts are drawn by its script. */
export function buildPage(input: PageInput): string {
  const context = pageContext(input);
  const { rows, steps } = context;
  const limits = limitsFor(rows.length, steps.length);
  const stepPages = steps.map((step) => stepPage(input, { step, rows, limits }));
  const title = pageTitle(rows);
  const hasFlames = stepPages.some((page) => page.hasFlames);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)}</title>
<style>${chartCss('auto')}${PAGE_CSS}${hasFlames ? FLAME_CSS : ''}</style>
</head>
<body>
${header({ title, context })}
${controls(rows)}
<main>
${pageSections(LEADING_SECTIONS, context)}
${stepPages.map(({ content }) => content).join('\n')}
${pageSections(CLOSING_SECTIONS, context)}
</main>
<p id="readout" role="status" aria-live="polite" hidden></p>
${dataBlocks(OVERVIEW, packCharts(context.charts))}
${stepPages.map(({ step, payload }) => dataBlocks(step, payload)).join('\n')}
<script>${bundleScript(new URL('../browser/main.js', import.meta.url))}</script>
${hasFlames ? `<script>${flameScript()}</script>` : ''}
</body>
</html>
`;
}

/** What the parts of a report that are not about one step are made from. */
export function pageContext({ runs, base, steps, tables, evidence }: PageInput): PageContext {
  const rows = reportRows(runs, base);
  return {
    runs: runsOf(rows),
    rows,
    steps,
    tables: tables.filter(({ step }) => step === null),
    charts: overviewCharts(rows, steps),
    evidence,
  };
}

/** What the report is about, by its first rows. */
export function pageTitle(rows: readonly RunGroup[]): string {
  const labels = rows.slice(0, 3).map(({ label }) => label);
  const tags = distinctLabels(labels, 40).values();
  const more = rows.length > 3 ? ` and ${rows.length - 3} more` : '';
  return `Insert Benchmark: ${[...tags].join(', ')}${more}`;
}

function pageSections(sections: readonly PageSection[], context: PageContext): string {
  return sections
    .map(({ id, title, render }) => {
      const content = render(context);
      if (content === null) return '';
      return html(
        'section',
        { id, class: 'page' },
        html('h2', {}, escapeMarkup(title), anchor(id)),
        content,
      );
    })
    .join('\n');
}

interface StepPage {
  readonly step: string;
  readonly content: string;
  readonly payload: Payload;
  readonly hasFlames: boolean;
}

interface StepChoice {
  readonly step: string;
  readonly rows: readonly RunGroup[];
  readonly limits: Parameters<typeof stepCharts>[2];
}

function stepPage({ tables, evidence }: PageInput, { step, rows, limits }: StepChoice): StepPage {
  const measured = stepRows(rows, step, evidence);
  const charts = stepCharts(step, measured, limits);
  const flames = stepFlames(rows, step, evidence);
  const context = {
    step,
    rows: measured,
    charts,
    flames,
    tables: tables.filter((table) => table.step === step),
  };
  const sections = STEP_SECTIONS.flatMap(({ id, title, render }) => {
    const content = render(context);
    const at = `${step}/${id}`;
    return content === null ? [] : [{ at, title, content }];
  });
  const links = sections.map(({ at, title }) => html('a', { href: `#${at}` }, title));
  const parts = sections.map(({ at, title, content }) =>
    html('section', { id: at }, html('h3', {}, title, anchor(at)), content),
  );
  const empty = html('p', { class: 'note' }, 'This step is done in no run: it has no numbers.');
  const content = html(
    'section',
    { id: step, class: 'page step' },
    html('h2', {}, escapeMarkup(step), anchor(step)),
    invalidNotes(runsOf(rows), step),
    html('nav', { 'aria-label': `Parts of ${step}` }, ...links),
    ...(parts.length === 0 ? [empty] : parts),
  );
  const payload = packCharts(Object.values(charts).flat());
  return { step, content, payload, hasFlames: flames.length > 0 };
}

/** JSON in a script element ends at `</script` whatever it is inside, so no `<` is left in it. */
function dataBlocks(step: string, { charts, data }: Payload): string {
  const json = JSON.stringify(charts).replaceAll('<', '\\u003c');
  const of = escapeMarkup(step);
  return `<script type="application/json" data-charts="${of}">${json}</script>
<script type="text/plain" data-series="${of}">${data}</script>`;
}
