import type { Audit, RunRecord, StepRecord } from '@ibench/core';
import { BLANK, wordCell, wordColumn } from './cell.ts';
import type { Row, Table } from './table.ts';

/**
 * What a reader of the numbers must know first: runs and steps that failed, were interrupted or
 * crashed, with their message, what checks found wrong, and the warnings of runs and steps. null where
 * there is nothing to say.
 */
export function warningsTable(runs: readonly RunRecord[], steps: readonly string[]): Table | null {
  const rows = runs.flatMap((run) => [
    ...runRows(run),
    ...run.warnings.map((text) => warningRow(run, null, ['warning', text])),
    ...run.steps.filter(({ step }) => steps.includes(step)).flatMap((step) => stepRows(run, step)),
  ]);
  if (rows.length === 0) return null;
  return {
    id: 'warnings',
    step: null,
    title: 'Warnings',
    note: 'Read these before the numbers; only steps that are done have any',
    columns: ['what', 'tag', 'step', 'run', 'message'].map((key) => wordColumn(key)),
    rows,
    footnotes: [],
  };
}

function runRows(run: RunRecord): Row[] {
  return [...endRows(run), ...auditRows(run, null, run.audits)];
}

function endRows(run: RunRecord): Row[] {
  if (!endedBadly(run.status)) return [];
  const told = run.steps.some(
    (step) => endedBadly(step.status) && (run.message === null || step.message === run.message),
  );
  return told ? [] : [warningRow(run, null, [run.status, run.message])];
}

function stepRows(run: RunRecord, step: StepRecord): Row[] {
  const ending = endedBadly(step.status)
    ? [warningRow(run, step.step, [step.status, step.message])]
    : [];
  const warnings = step.warnings.map((text) => warningRow(run, step.step, ['warning', text]));
  return [...ending, ...auditRows(run, step.step, step.audits), ...warnings];
}

/** What a check found wrong; that a step is client-bound is said beside its number. */
function auditRows(run: RunRecord, step: string | null, audits: readonly Audit[]): Row[] {
  const told = audits.filter(({ name, verdict }) => verdict !== 'ok' && name !== 'client-bound');
  const invalidFirst = [...told].sort((a, b) => a.verdict.localeCompare(b.verdict));
  return invalidFirst.map(({ verdict, reason }) =>
    warningRow(run, step, [verdict === 'invalid' ? 'invalid' : 'warning', reason]),
  );
}

function endedBadly(status: StepRecord['status']): boolean {
  return status === 'failed' || status === 'interrupted' || status === 'crashed';
}

function warningRow(
  run: RunRecord,
  step: string | null,
  [what, message]: readonly [string, string | null],
): Row {
  return {
    cells: [
      wordCell(what),
      wordCell(run.tag),
      step === null ? BLANK : wordCell(step),
      wordCell(run.runId),
      message === null ? BLANK : wordCell(message),
    ],
  };
}
