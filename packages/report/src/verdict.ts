import type { Audit } from '@ibench/core';
import { type ChangeSentence, changeSentences } from './change-sentences.ts';
import { compareStep } from './comparison-steps.ts';
import { loadText, type RunGroup, sameLoad } from './run-group.ts';
import { throughputSteps } from './throughput.ts';

/** What a report says first: what changed, and how sure that is. */
export interface Verdict {
  /** The largest changes, at most six. */
  readonly changes: readonly ChangeSentence[];
  /** What a reader of them must know, one sentence each. */
  readonly notes: readonly string[];
}

/** More of them would be a table (REPORT 2.1). */
const MOST_CHANGES = 6;

/** More names of steps would be the table of warnings. */
const MOST_NAMES = 6;

/** The verdict on rows, the first of which is the base; null where there is nothing to compare. */
export function verdictOf(rows: readonly RunGroup[], steps: readonly string[]): Verdict | null {
  const [base] = rows;
  if (base === undefined || rows.length < 2) return null;
  const changes = changeSentences(rows, base, steps);
  const more = changes.length - MOST_CHANGES;
  return {
    changes: changes.slice(0, MOST_CHANGES),
    notes: [
      ...(changes.length === 0 ? [noChange(rows, base, steps)] : []),
      ...(more > 0 ? [`And ${more} more: see the relative table.`] : []),
      ...notComparedNotes(rows, base),
      ...singleNotes(rows),
      ...warnedNotes(rows, new Set(changes.map(({ step }) => step))),
    ],
  };
}

/** Why no change is told: none is large enough, or there was nothing that could be compared. */
function noChange(rows: readonly RunGroup[], base: RunGroup, steps: readonly string[]): string {
  const others = rows.filter((row) => row !== base && sameLoad(row, base));
  if (others.length === 0) return `Nothing here can be compared with ${base.label}.`;
  const hasVerdict = others.some((row) =>
    throughputSteps(steps).some((step) => {
      const { verdict } = compareStep(base, row, step);
      return verdict !== 'not comparable' && verdict !== 'missed SLA';
    }),
  );
  return hasVerdict
    ? `No step differs from ${base.label} by 5% or more beyond noise.`
    : `Nothing here can be compared with ${base.label}: no step was done by both, validly and within the SLA.`;
}

/** Rows that did other work than the base, and which work. */
function notComparedNotes(rows: readonly RunGroup[], base: RunGroup): string[] {
  const others = rows.filter((row) => !sameLoad(row, base));
  if (others.length === 0) return [];
  const loads = others.map((row) => `${row.label} (${loadText(row)})`).join(', ');
  return [
    `Not compared with ${base.label} (${loadText(base)}), since they did other work: ${loads}.`,
  ];
}

function singleNotes(rows: readonly RunGroup[]): string[] {
  const single = rows.filter(({ runs }) => runs.length === 1).map(({ label }) => label);
  if (single.length === 0) return [];
  return single.length === rows.length
    ? ['One run each: no spread known.']
    : [`One run, so no spread known: ${single.join(', ')}.`];
}

function warnedNotes(rows: readonly RunGroup[], changed: ReadonlySet<string>): string[] {
  const warned = rows.flatMap(({ label, runs }) =>
    runs.flatMap(({ steps }) =>
      steps
        .filter(({ step, warnings, audits }) => changed.has(step) && isWarned(warnings, audits))
        .map(({ step }) => `${label} ${step}`),
    ),
  );
  const names = [...new Set(warned)];
  if (names.length === 0) return [];
  const more = names.length - MOST_NAMES;
  return [
    `With warnings: ${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  ];
}

function isWarned(warnings: readonly string[], audits: readonly Audit[]): boolean {
  return warnings.length > 0 || audits.some(({ verdict }) => verdict === 'warned');
}
