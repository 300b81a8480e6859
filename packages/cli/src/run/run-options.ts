import { type ProfileChoice, UsageError } from '@ibench/core';
import type { Store } from '@ibench/store';
import type { NamedWorkload } from '../read-workload.ts';
import type { BranchChoice } from './branch.ts';
import type { CanaryMode } from './canary.ts';
import type { RunLimits } from './context.ts';
import type { ServerOptions } from './open-server.ts';
import type { Progress } from './progress.ts';

/** Everything about one run that was decided, and checked, before it starts. */
export interface RunOptions extends Omit<ServerOptions, 'source'> {
  readonly workload: NamedWorkload;
  readonly tag: string;
  readonly runsDirectory: string;
  /** Block devices to measure; empty: those under the data. */
  readonly devices: readonly string[];
  /** Time between samples of pg_stat_activity, seconds; 0: none. */
  readonly activityIntervalS: number;
  readonly limits: RunLimits;
  readonly canary: CanaryMode;
  /** null: no stacks are sampled. */
  readonly profile: ProfileChoice | null;
  readonly commandLine: string;
  /** The run of a plan that this is an attempt at; null: no plan asked for it. */
  readonly planRunKey: number | null;
  /** Branch point from which the run goes on with a copy of kept data; null: none. */
  readonly branch: BranchChoice | null;
}

/** The world that a run works in. */
export interface RunWorld {
  readonly store: Store;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** What is to be kept with the run as a whole. */
  readonly warnings: readonly string[];
}

/** A label must be printable on one line, since it is a cell in every table. */
export function checkTag(tag: string): string {
  if (/^[^\p{Cc}]{1,100}$/u.test(tag) && tag.trim() !== '') return tag;
  throw new UsageError(
    `--tag ${JSON.stringify(tag)}: expected 1 to 100 printable characters, for example pg18.4.base`,
  );
}
