import { escapeMarkup } from '@ibench/chart';
import type { Fact, Provenance, RunRecord } from '@ibench/core';
import { html, scrolledTable } from '../markup.ts';
import { repeatCommand } from '../repeat-command.ts';
import type { PageContext } from './section.ts';

const CATEGORIES = [
  ['host', 'Host'],
  ['build', 'Build'],
  ['workload', 'Workload'],
  ['client', 'Load generator'],
] as const;

/** How each run was made: identity, facts, settings that were asked for, the configuration in full. */
export function provenanceSection({ runs, evidence }: PageContext): string | null {
  const known = runs.flatMap((run) => {
    const provenance = evidence.provenance(run.runId);
    return provenance === undefined ? [] : [{ run, provenance }];
  });
  if (known.length === 0) return null;
  const configs = new Map<string, string>();
  for (const { run, provenance } of known) {
    const { configSha256, configText } = provenance;
    if (configSha256 !== null && configText !== null && !configs.has(configSha256)) {
      configs.set(configSha256, configSection(run, configText));
    }
  }
  const shared = sharedFacts(known.map(({ provenance }) => provenance));
  return (
    (shared.length === 0 || known.length === 1 ? '' : factsBlock('The same in all runs', shared)) +
    known
      .map(({ run, provenance }) => runBlock(run, provenance, known.length > 1 ? shared : []))
      .join('') +
    [...configs.values()].join('')
  );
}

function runBlock(run: RunRecord, provenance: Provenance, shared: readonly Fact[]): string {
  const isShared = (fact: Fact): boolean => shared.some((one) => sameFact(one, fact));
  const own = provenance.facts.filter((fact) => !isShared(fact));
  const identity: [string, string | number | null][] = [
    ['run', run.runId],
    ['tag', run.tag],
    ['repeat', run.repeat],
    ['started', run.startedAt],
    ['finished', provenance.finishedAt],
    ['status', run.status],
    ['build', run.build],
    ['config', run.config],
    ['config SHA-256', provenance.configSha256],
    ['workload', run.workload],
    ['clients', run.clients],
    ['seed', provenance.seed],
    ['tool', `ibench ${provenance.toolVersion}`],
    ['raw output', provenance.directory],
  ];
  return details(
    `${run.tag}, run ${run.runId}`,
    repeatBlock(run, provenance) +
      nameValues(identity) +
      CATEGORIES.map(([category, title]) => categoryBlock(title, own, category)).join('') +
      settingsBlock(provenance),
  );
}

/** Commands that one click selects. */
function repeatBlock(run: RunRecord, provenance: Provenance): string {
  const { asItWas, alone, configFile } = repeatCommand(run, provenance);
  const block = (text: string, command: string): string =>
    html('p', {}, escapeMarkup(text)) + html('pre', { class: 'command' }, escapeMarkup(command));
  if (alone === null) return block('To repeat it:', asItWas);
  const file = configFile === null ? '' : `, with the configuration below saved as ${configFile}`;
  return block('To repeat its plan:', asItWas) + block(`To repeat it alone${file}:`, alone);
}

function factsBlock(title: string, facts: readonly Fact[]): string {
  return details(
    title,
    CATEGORIES.map(([category, name]) => categoryBlock(name, facts, category)).join(''),
  );
}

function categoryBlock(title: string, facts: readonly Fact[], category: string): string {
  const own = facts.filter((fact) => fact.category === category);
  if (own.length === 0) return '';
  return html('h4', {}, title) + nameValues(own.map(({ name, value }) => [name, value]));
}

/** Settings that the configuration asked for, with what the server made of them. */
function settingsBlock({ settings }: Provenance): string {
  const asked = settings.filter(({ requested }) => requested !== null);
  if (asked.length === 0) return '';
  const rows = asked.map(({ name, requested, actual, unit, source }) => [
    name,
    requested,
    `${actual ?? 'not known'}${unit === null ? '' : ` × ${unit}`}`,
    source,
  ]);
  return (
    html('h4', {}, 'Settings asked for') +
    grid(['setting', 'asked for', 'in force', 'source'], rows)
  );
}

function configSection(run: RunRecord, text: string): string {
  return details(`Configuration ${run.config}`, html('pre', {}, escapeMarkup(text)));
}

function nameValues(rows: readonly (readonly [string, string | number | null])[]): string {
  return grid(
    ['name', 'value'],
    rows.map(([name, value]) => [name, value === null ? 'not found' : String(value)]),
  );
}

function grid(head: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  const body = rows.map((cells) =>
    html(
      'tr',
      {},
      ...cells.map((cell, i) =>
        i === 0
          ? html('th', { scope: 'row' }, escapeMarkup(cell ?? ''))
          : html('td', {}, escapeMarkup(cell ?? '')),
      ),
    ),
  );
  return scrolledTable(
    { label: head.join(', '), className: 'facts' },
    head.map((name) => html('th', { scope: 'col' }, name)),
    body,
  );
}

function details(title: string, content: string): string {
  return html('details', {}, html('summary', {}, escapeMarkup(title)), content);
}

function sharedFacts(all: readonly Provenance[]): Fact[] {
  const [first, ...others] = all;
  return (first?.facts ?? []).filter((fact) =>
    others.every(({ facts }) => facts.some((other) => sameFact(other, fact))),
  );
}

function sameFact(a: Fact, b: Fact): boolean {
  return a.category === b.category && a.name === b.name && a.value === b.value;
}
