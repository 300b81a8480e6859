import { isInvalid } from '@ibench/core';
import { BLANK, labelClientBound, numberCell, numberColumn, wordCell, wordColumn } from './cell.ts';
import { clientBoundNotes, splitVerdicts } from './client-bound.ts';
import { INVALID_NOTE } from './invalid-rows.ts';
import { throughputMarks } from './judge.ts';
import { attemptNotes, inheritedNotes, loadNotes, type RunGroup } from './run-group.ts';
import type { Cell, Column, Table } from './table.ts';
import { type Throughput, throughputOf, throughputSteps } from './throughput.ts';
import { unfinishedRuns } from './unfinished-runs.ts';

/**
 * Absolute throughput, runs × steps: queries/s in q*, rows indexed/s in l.x, inserts/s in the others.
 * A step that is not done shows its status word. For machines the verdict on whether the client or the
 * server set the pace is in columns of its own, at the end.
 */
export function summaryTable(groups: readonly RunGroup[], steps: readonly string[]): Table {
  const columns = throughputSteps(steps);
  const cellsByStep = columns.map((step) => summaryColumn(groups, step));
  return {
    id: 'summary',
    step: null,
    title: 'Throughput',
    note: 'l.i0, l.i1, l.i2: inserts/s; l.x: rows indexed/s; q*: queries/s. ▲ top and ▼ bottom quarter of the column, ✗ missed the SLA',
    columns: [
      wordColumn('tag'),
      numberColumn('n'),
      ...columns.map((step) => numberColumn(step)),
      ...columns.map((step): Column => ({ ...wordColumn(`${step}_client_bound`), dataOnly: true })),
    ],
    rows: groups.map((group, row) => ({
      cells: [
        wordCell(group.label),
        numberCell(group.runs.length, 0),
        ...cellsByStep.map((cells) => cells[row]!),
        ...columns.map((step) => verdictCell(throughputOf(group, step))),
      ],
    })),
    footnotes: [
      ...loadNotes(groups),
      ...unfinishedNotes(groups, columns),
      ...clientBoundNotes(groups, columns),
      ...splitVerdicts(groups, columns),
      ...invalidNotes(groups, columns),
      ...repeatNotes(groups, columns),
      ...attemptNotes(groups),
      ...inheritedNotes(groups),
    ],
  };
}

function summaryColumn(groups: readonly RunGroup[], step: string): Cell[] {
  const column = groups.map((group) => throughputOf(group, step));
  const marks = throughputMarks(column);
  return column.map(
    (throughput, row) =>
      invalidCell(throughput) ??
      notDoneCell(throughput) ??
      labelClientBound(numberCell(throughput.value, 0, marks[row]), throughput.clientBound),
  );
}

function verdictCell({ serverWaitShare, clientBound }: Throughput): Cell {
  if (serverWaitShare === null) return BLANK;
  return wordCell(clientBound ? 'yes' : 'no');
}

/** The cell of a step without numbers: blank, or why there are none; null if the step is done and valid. */
export function notDoneCell({ outcome }: Throughput): Cell | null {
  if (outcome.state === 'absent') return BLANK;
  if (outcome.state === 'invalid') return { value: null, text: 'invalid', mark: 'invalid' };
  return outcome.state === 'not-done' ? wordCell(outcome.status, 'absent') : null;
}

/** The number of an invalid step is shown as that; null for all others. */
function invalidCell({ invalidValue }: Throughput): Cell | null {
  if (invalidValue === null) return null;
  return { value: null, text: invalidValue.toFixed(0), mark: 'invalid' };
}

/** A line for each run that is not done, and what its blank cells are. */
function unfinishedNotes(groups: readonly RunGroup[], steps: readonly string[]): string[] {
  return groups.flatMap((group) => {
    const hasBlank = steps.some((step) => throughputOf(group, step).outcome.state === 'absent');
    return unfinishedRuns(group.runs).map(
      ({ run, text }) =>
        `${group.label}: run ${run.runId} is not done, ${text}${hasBlank ? '; blank: not reached' : ''}`,
    );
  });
}

function invalidNotes(groups: readonly RunGroup[], steps: readonly string[]): string[] {
  const isShown = groups.some((group) =>
    steps.some((step) => throughputOf(group, step).outcome.state === 'invalid'),
  );
  return isShown ? [INVALID_NOTE] : [];
}

function hasInvalid({ runs }: RunGroup, name: string): boolean {
  return runs.some(({ steps }) =>
    steps.some(({ step, audits }) => step === name && isInvalid(audits)),
  );
}

function repeatNotes(groups: readonly RunGroup[], steps: readonly string[]): string[] {
  const repeated = groups.filter((group) => group.runs.length > 1);
  if (repeated.length === 0) return [];
  const partial = repeated.flatMap((group) =>
    steps.flatMap((step) => {
      const { outcome } = throughputOf(group, step);
      if (outcome.state !== 'done' || outcome.repeats.length === group.runs.length) return [];
      return [
        `${group.label}, ${step}: median of the ${outcome.repeats.length} of ${group.runs.length} repeats in which it is done${hasInvalid(group, step) ? ' and valid' : ''}`,
      ];
    }),
  );
  return ['n > 1: medians over n repeats; histograms add them up', ...partial];
}
