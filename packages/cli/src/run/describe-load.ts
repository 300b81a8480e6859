import type { StepPlan } from '@ibench/core';
import type { SecondsReader } from './seconds.ts';

const RECENT_SECONDS = 5;

/** One line on a step that is running: how far it is and how fast, for the progress display. */
export function describeLoad(step: StepPlan, elapsedS: number, seconds: SecondsReader): string {
  const totals = seconds.totals();
  const parts = [`  ${step.name.padEnd(7)}`, share(step, elapsedS, totals.insert)];
  if (step.queries !== null) parts.push(`${recent(seconds, 'query', elapsedS)} queries/s`);
  parts.push(`${recent(seconds, 'insert', elapsedS)} inserts/s`);
  return parts.join('  ');
}

function share(step: StepPlan, elapsedS: number, inserted: number): string {
  const done = partDone(step, elapsedS, inserted);
  return `${Math.floor(elapsedS).toString().padStart(4)} s  ${(100 * done).toFixed(0).padStart(3)}%`;
}

/** How far a step is, 0 to 1: by its rows, or by its time. */
export function shareDone(step: StepPlan, elapsedS: number, seconds: SecondsReader): number {
  return partDone(step, elapsedS, seconds.totals().insert);
}

function partDone(step: StepPlan, elapsedS: number, inserted: number): number {
  const planned = step.rowsPerClient?.reduce((sum, rows) => sum + rows, 0);
  const done =
    planned === undefined ? elapsedS / Math.max(1, step.seconds ?? 1) : inserted / planned;
  return Math.min(1, done);
}

function recent(seconds: SecondsReader, kind: 'insert' | 'query', elapsedS: number): string {
  const rates = seconds.perSecond(kind, elapsedS).slice(-RECENT_SECONDS);
  const mean = rates.length === 0 ? 0 : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return Math.round(mean).toLocaleString('en-US').padStart(9);
}
