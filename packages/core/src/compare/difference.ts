import type { RunIdentity } from '../record.ts';

/** Where a fact about a run comes from; `run` has the seed, the version of the tool and the config's checksum. */
export const AREAS = ['run', 'workload', 'build', 'setting', 'host', 'client'] as const;
export type Area = (typeof AREAS)[number];

/** What one run has under a name. */
export interface Observed {
  /** As text, a setting with its unit; null: looked for and not found. */
  readonly value: string | null;
  /** Did the configuration ask for it? Settings only. */
  readonly requested: boolean;
  /** Did the server choose it (source `default` or `override`)? Settings only. */
  readonly isDefault: boolean;
}

/** A fact in which some of the runs differ. */
export interface Difference {
  readonly area: Area;
  readonly name: string;
  /** By run id. A run that is not here has no such setting, or did not look for such a fact. */
  readonly byRun: ReadonlyMap<string, Observed>;
}

/** The part of a run that says what was to be compared. */
export type ComparedRun = Pick<RunIdentity, 'runId' | 'tag' | 'build' | 'config' | 'workload'>;
