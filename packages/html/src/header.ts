import { escapeMarkup } from '@ibench/chart';
import { type Fact, isInvalid } from '@ibench/core';
import { html } from './markup.ts';
import { isSuspect, warningRows } from './sections/caveats.ts';
import type { PageContext } from './sections/section.ts';

/** What the report is about, what it was measured on, what to ignore, and where to go. */
export function header({
  title,
  context,
}: {
  readonly title: string;
  readonly context: PageContext;
}): string {
  const links = [
    ...(context.rows.length > 1 ? [['verdict', 'what changed'] as const] : []),
    ['summary', 'summary'],
    ...context.steps.map((step) => [step, step] as const),
    ['environment', 'settings'],
  ].map(([id, text]) => html('a', { href: `#${id}` }, escapeMarkup(text!)));
  return html(
    'header',
    {},
    html('h1', {}, escapeMarkup(title)),
    html('p', { class: 'about' }, escapeMarkup(about(context))),
    strip('Measured on', machine(context)),
    strip('Validity', validity(context)),
    html('nav', { 'aria-label': 'Steps' }, ...links),
  );
}

/** Workload, clients, runs and days in a line. */
export function about({ runs }: PageContext): string {
  const distinct = (values: readonly (string | number)[]): string =>
    [...new Set(values)].join(', ');
  const days = runs.map(({ startedAt }) => startedAt.slice(0, 10)).sort();
  const between = days[0] === days.at(-1) ? days[0] : `${days[0]} to ${days.at(-1)}`;
  const clients = distinct(runs.map((run) => run.clients));
  return [
    `workload ${distinct(runs.map(({ workload }) => workload))}`,
    clients === '1' ? '1 client' : `${clients} clients`,
    runs.length === 1 ? '1 run' : `${runs.length} runs`,
    between ?? '',
  ].join(' · ');
}

/** Facts worth a place at the top, as they are found. */
const FACTS = [
  'cpu_model',
  'logical_cpus',
  'memory_bytes',
  'device_model',
  'file_system',
  'kernel',
  'virtualisation',
] as const;

/** What it was measured on, a fact each. */
export function machine({ runs, evidence }: PageContext): string[] {
  const facts = runs.flatMap(({ runId }) => evidence.provenance(runId)?.facts ?? []);
  return FACTS.flatMap((name) => {
    const found = facts.filter((fact) => fact.category === 'host' && fact.name === name);
    const values = [...new Set(found.map(factText).filter((text) => text !== null))];
    return values.length === 0 ? [] : [values.join(' / ')];
  });
}

const GB = 1024 ** 3;

function factText({ name, value }: Fact): string | null {
  if (value === null || value === '') return null;
  if (name === 'memory_bytes') return `${(Number(value) / GB).toFixed(1)} GB memory`;
  return name === 'logical_cpus' ? `${value} logical CPUs` : String(value);
}

/** How many runs, steps and numbers are not to be used, or only with care. */
export function validity({ runs, tables }: PageContext): string[] {
  const unfinished = runs.filter(({ status }) => status !== 'done').length;
  const steps = runs.flatMap((run) => run.steps);
  const failed = steps.filter(
    ({ status }) => !['done', 'inherited', 'running'].includes(status),
  ).length;
  const missed = tables
    .filter(({ id }) => id === 'summary')
    .flatMap(({ rows }) => rows.flatMap(({ cells }) => cells))
    .filter(({ mark }) => mark === 'missed-sla').length;
  const invalid = steps.filter(({ audits }) => isInvalid(audits)).length;
  const suspect = runs.filter(isSuspect).length;
  const warnings = warningRows(tables);
  const count = (n: number, one: string, many: string): string =>
    `${n === 0 ? 'no' : n} ${n === 1 ? one : many}`;
  return [
    count(unfinished, 'run not done', 'runs not done'),
    count(failed, 'step failed', 'steps failed'),
    count(invalid, 'step invalid', 'steps invalid'),
    count(suspect, 'suspect run', 'suspect runs'),
    count(missed, 'SLA missed', 'SLAs missed'),
    count(warnings, 'warning', 'warnings'),
  ];
}

function strip(title: string, texts: readonly string[]): string {
  if (texts.length === 0) return '';
  return html(
    'p',
    { class: 'strip' },
    html('b', {}, title),
    ...texts.map((text) => html('span', {}, escapeMarkup(text))),
  );
}
