import { escapeMarkup } from '@ibench/chart';
import { type Audit, isInvalid, measuredBy, type RunRecord } from '@ibench/core';
import { type Table, unfinishedRuns } from '@ibench/report';
import { html } from '../markup.ts';
import type { PageContext } from './section.ts';

/** Was the host not as it was around earlier runs? */
export function isSuspect({ audits }: RunRecord): boolean {
  return audits.some(isStrayed);
}

function isStrayed({ name, verdict }: Audit): boolean {
  return name === 'canary' && verdict !== 'ok';
}

/** A line for each run that is not done: which, how it stands, and why. */
export function notDoneLines({ runs }: Pick<PageContext, 'runs'>): string[] {
  return unfinishedRuns(runs).map(({ run, text }) => `${nameOf(run)}: ${text}`);
}

function nameOf({ tag, runId }: Pick<RunRecord, 'tag' | 'runId'>): string {
  return `${tag} (run ${runId})`;
}

/** Runs that are not done, steps whose numbers are not to be used, and runs not to be trusted, with the reasons; null without any. */
export function notToUse({ runs, steps }: PageContext): string | null {
  const unfinished = notDoneLines({ runs }).map((line) => html('li', {}, escapeMarkup(line)));
  const audited = runs.flatMap((run) => {
    const name = nameOf(run);
    return [
      ...(isInvalid(run.audits) ? [item(`⊘ invalid: ${name}`, invalidOf(run.audits))] : []),
      ...(isSuspect(run) ? [item(name, run.audits.filter(isStrayed))] : []),
      ...run.steps
        .filter(({ step, audits }) => steps.includes(step) && isInvalid(audits))
        .map((one) =>
          item(
            `⊘ invalid: ${nameOf({ ...run, runId: measuredBy(run, one) })}, ${one.step}`,
            invalidOf(one.audits),
            one.step,
          ),
        ),
    ];
  });
  const items = [...unfinished, ...audited];
  return items.length === 0 ? null : html('ul', { class: 'strip-list' }, ...items);
}

/** What of this step is not to be used, for the head of its page; empty without any. */
export function invalidNotes(runs: readonly RunRecord[], step: string): string {
  const notes = runs.flatMap((run) =>
    run.steps
      .filter((one) => one.step === step && isInvalid(one.audits))
      .map((one) => {
        const reasons = invalidOf(one.audits).map(({ reason }) => reason);
        const text = `⊘ ${run.tag} (run ${measuredBy(run, one)}): invalid: ${reasons.join('; ')}`;
        return html('p', { class: 'invalid' }, escapeMarkup(text));
      }),
  );
  return notes.join('');
}

function invalidOf(audits: readonly Audit[]): Audit[] {
  return audits.filter(({ verdict }) => verdict === 'invalid');
}

/** A line that leads to the step it is about. */
function item(title: string, audits: readonly Audit[], step?: string): string {
  const head =
    step === undefined ? escapeMarkup(title) : html('a', { href: `#${step}` }, escapeMarkup(title));
  return html('li', {}, head, escapeMarkup(`: ${audits.map(({ reason }) => reason).join('; ')}`));
}

/** More warnings than these would push what changed out of sight. */
const MOST_WARNINGS = 6;

/** How many warnings there are, of the same counted once per run, without what is no warning but an end or invalid. */
export function warningRows(tables: readonly Table[]): number {
  return tables
    .filter(({ id }) => id === 'warnings')
    .flatMap(({ rows }) => rows)
    .filter(({ cells }) => cells[0]!.value === 'warning').length;
}

/** Is it a table that is only opened by who wants it, and left out of a summary? */
export function isLongList({ id, rows }: Table): boolean {
  return id === 'warnings' && rows.length > MOST_WARNINGS;
}
