import { NO_RESULTS, type StepRecord } from '@ibench/core';
import { prepare, type Store } from './open.ts';
import { insertRow, transact } from './write.ts';

/** Where the data came from that the later steps of a run worked on. */
export interface NewBranch {
  /** The last step before the copy was made, by its position in the run. */
  readonly afterSeq: number;
  /** The run that made the data; it can be the run itself. */
  readonly fromRunKey: number;
  /** Of the copy that is kept. */
  readonly dataSha256: string;
  readonly dataBytes: number;
}

/** Notes that the steps of a run after `afterSeq` work on a copy of kept data. */
export function saveBranch(store: Store, runKey: number, branch: NewBranch): void {
  const { afterSeq, fromRunKey, dataSha256, dataBytes } = branch;
  transact(store, () => {
    insertRow(store, 'run_branch', {
      run_key: runKey,
      after_seq: afterSeq,
      from_run_key: fromRunKey,
      data_sha256: dataSha256,
      data_bytes: dataBytes,
    });
  });
}

/** The steps that a run did not run itself, since it started from the data of another. */
export function loadInherited(store: Store, runKey: number): StepRecord[] {
  const rows = prepare(
    store,
    `SELECT step.step, step.seq, source.run_id AS inheritedFrom
     FROM run_branch b JOIN run source ON source.run_key = b.from_run_key
       JOIN step ON step.run_key = b.from_run_key AND step.seq <= b.after_seq
     WHERE b.run_key = ? AND b.from_run_key <> b.run_key ORDER BY step.seq`,
  ).all(runKey) as Pick<StepRecord, 'step' | 'seq' | 'inheritedFrom'>[];
  const nothing = { ...NO_RESULTS, message: null, warnings: [], audits: [] };
  return rows.map((row) => ({ ...row, ...nothing, status: 'inherited' }));
}
