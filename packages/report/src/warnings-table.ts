import { type Audit, measuredBy, type RunRecord, type StepRecord } from '@ibench/core';
import { BLANK, wordCell, wordColumn } from './cell.ts';
import { shortMessage } from './message-head.ts';
import type { Table } from './table.ts';

/** One thing to be known of a run, or of those of its steps that it is true of. */
interface Told {
  readonly what: string;
  readonly run: Pick<RunRecord, 'runId' | 'tag'>;
  /** Empty: of the run as a whole. */
  readonly steps: readonly string[];
  readonly message: string | null;
}

/**
 * What a reader of the numbers must know first: runs and steps that failed, were interrupted or
 * crashed, with their message, what checks found wrong, and the warnings of runs and steps. What is the same of
 * several steps of a run is one row that names them. Of a message of many lines people see the first, programs have all. null where there is nothing to say.
 */
export function warningsTable(runs: readonly RunRecord[], steps: readonly string[]): Table | null {
  const told = runs.flatMap((run) => [
    ...ofRun(run),
    ...joinSteps(
      run.steps.filter(({ step }) => steps.includes(step)).flatMap((step) => ofStep(run, step)),
    ),
  ]);
  if (told.length === 0) return null;
  return {
    id: 'warnings',
    step: null,
    title: 'Warnings',
    note: 'Read these before the numbers; only steps that are done have any',
    columns: ['what', 'tag', 'step', 'run', 'message'].map((key) => wordColumn(key)),
    rows: told.map(({ what, run, steps: of, message }) => ({
      cells: [
        wordCell(what),
        wordCell(run.tag),
        of.length === 0 ? BLANK : wordCell(of.join(', ')),
        wordCell(run.runId),
        message === null ? BLANK : { ...wordCell(message), text: shortMessage(message) },
      ],
    })),
    footnotes: [],
  };
}

/** Equal messages of several steps become one, where the first of them is. */
function joinSteps(told: readonly Told[]): Told[] {
  const joined = new Map<string, Told>();
  for (const one of told) {
    const key = JSON.stringify([one.what, one.run.runId, one.message]);
    const steps = [...(joined.get(key)?.steps ?? []), ...one.steps];
    joined.set(key, { ...one, steps: [...new Set(steps)] });
  }
  return [...joined.values()];
}

function ofRun(run: RunRecord): Told[] {
  const about = { run, steps: [] };
  const warnings = run.warnings.map((message) => ({ ...about, what: 'warning', message }));
  return [...ending(run), ...ofAudits(run, [], run.audits), ...warnings];
}

function ending(run: RunRecord): Told[] {
  if (!endedBadly(run.status)) return [];
  const told = run.steps.some(
    (step) => endedBadly(step.status) && (run.message === null || step.message === run.message),
  );
  return told ? [] : [{ what: run.status, run, steps: [], message: run.message }];
}

function ofStep({ tag, ...whole }: RunRecord, record: StepRecord): Told[] {
  const { step, status, message, audits, warnings } = record;
  const run = { tag, runId: measuredBy(whole, record) };
  const steps = [step];
  return [
    ...(endedBadly(status) ? [{ what: status, run, steps, message }] : []),
    ...ofAudits(run, steps, audits),
    ...warnings.map((text) => ({ what: 'warning', run, steps, message: text })),
  ];
}

/** What a check found wrong; that a step is client-bound is said beside its number. */
function ofAudits(run: Told['run'], steps: readonly string[], audits: readonly Audit[]): Told[] {
  const told = audits.filter(({ name, verdict }) => verdict !== 'ok' && name !== 'client-bound');
  const invalidFirst = [...told].sort((a, b) => a.verdict.localeCompare(b.verdict));
  return invalidFirst.map(({ verdict, reason }) => ({
    what: verdict === 'invalid' ? 'invalid' : 'warning',
    run,
    steps,
    message: reason,
  }));
}

function endedBadly(status: StepRecord['status']): boolean {
  return status === 'failed' || status === 'interrupted' || status === 'crashed';
}
