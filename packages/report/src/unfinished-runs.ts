import type { RunRecord } from '@ibench/core';
import { shortMessage } from './message-head.ts';

/** A run that is not done: how it stands and why, in words. */
export interface UnfinishedRun {
  readonly run: RunRecord;
  /** `crashed in l.i1: the runner (pid 7) ended without finishing the run`, without the log that may follow. */
  readonly text: string;
}

/** The runs that are not done, in the order given. */
export function unfinishedRuns(runs: readonly RunRecord[]): UnfinishedRun[] {
  return runs
    .filter(({ status }) => status !== 'done')
    .map((run) => ({ run, text: describe(run) }));
}

function describe({ status, message, steps }: RunRecord): string {
  const stopped = steps.findLast((step) => step.status !== 'done' && step.status !== 'inherited');
  const place = stopped === undefined ? '' : ` in ${stopped.step}`;
  // What the step says is nearer to the cause than what the run says.
  const reason = stopped?.message ?? message;
  return `${status}${place}${reason === null ? '' : `: ${shortMessage(reason)}`}`;
}
