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

/** The run that made the data which another run started from. */
export interface BranchSource {
  readonly runKey: number;
  readonly runId: string;
  /** The last step that it ran for the other. */
  readonly afterSeq: number;
  /** Is it an earlier attempt at the same repeat of a plan? */
  readonly isSameRepeat: boolean;
}

/** Where a run did not run its first steps itself, the run that did; else null. */
export function loadBranchSource(store: Store, runKey: number): BranchSource | null {
  const row = prepare(
    store,
    `SELECT source.run_key AS runKey, source.run_id AS runId, b.after_seq AS afterSeq,
       coalesce(source.plan_run_key = run.plan_run_key, 0) AS isSameRepeat
     FROM run_branch b JOIN run USING (run_key) JOIN run source ON source.run_key = b.from_run_key
     WHERE b.run_key = ? AND b.from_run_key <> b.run_key`,
  ).get(runKey) as (Omit<BranchSource, 'isSameRepeat'> & { isSameRepeat: number }) | undefined;
  return row === undefined ? null : { ...row, isSameRepeat: row.isSameRepeat === 1 };
}
