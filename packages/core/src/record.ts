import type { Audit } from './audit/audit.ts';
import type { StepMetrics } from './metrics/columns.ts';
import type { ClientRate } from './metrics/fairness.ts';
import type { SlaFigures } from './metrics/sla-seconds.ts';
import type { ServerResult } from './result.ts';
import type { RoleActivity } from './server/index.ts';
import type { Status } from './step.ts';
import type { TimesSummary } from './times.ts';

/** What identifies one run: all steps once on one (build, config, workload, repeat). */
export interface RunIdentity {
  /** Unique text, also the name of the run's folder. */
  readonly runId: string;
  /** Label in tables, `<build>.<config>` unless the user gave one. */
  readonly tag: string;
  readonly build: string;
  readonly config: string;
  readonly workload: string;
  /** Which one of the runs of this build, config and workload, from 1; of a plan's runs, which in the plan. */
  readonly repeat: number;
  readonly clients: number;
}

/** What the server did in a step, as read back from the store. */
export interface ServerRecord extends Omit<ServerResult, 'changes'> {
  /** Empty where pg_stat_activity was not sampled. */
  readonly activity: readonly RoleActivity[];
}

/** One step as read back from the store. */
export interface StepRecord {
  readonly step: string;
  readonly seq: number;
  /** inherited: the run started from the data of another one, which ran this step. */
  readonly status: Status | 'inherited';
  readonly message: string | null;
  /** null unless the step is done. */
  readonly metrics: StepMetrics | null;
  readonly times: readonly TimesSummary[];
  /** By client number; empty unless the step is done, and in steps without clients. */
  readonly clients: readonly ClientRate[];
  /** null unless the step is done, and in steps from before it was measured. */
  readonly server: ServerRecord | null;
  /** All clients together, then each; empty unless the step is done, and in steps without a target rate. */
  readonly sla: readonly SlaFigures[];
  readonly warnings: readonly string[];
  /**
   * Id of the run that measured the step, where this run took it over. With status `inherited` it counts there; with
   * `done` that was an earlier attempt at the same repeat, which is left out, and it counts here.
   */
  readonly inheritedFrom?: string | undefined;
  readonly audits: readonly Audit[];
}

/** Id of the run whose folder, series and profiles are those of a step. */
export function measuredBy(
  { runId }: Pick<RunIdentity, 'runId'>,
  { inheritedFrom }: StepRecord,
): string {
  return inheritedFrom ?? runId;
}

/** What a step has to show that did not end well, or is not over. */
export const NO_RESULTS: Pick<StepRecord, 'metrics' | 'times' | 'clients' | 'server' | 'sla'> = {
  metrics: null,
  times: [],
  clients: [],
  server: null,
  sla: [],
};

/** One run as read back from the store: what tables are made from. */
export interface RunRecord extends RunIdentity {
  /** The run of a plan that this is an attempt at, by its key; null: no plan asked for it. */
  readonly planRun: number | null;
  /** From 1: which attempt at the same repeat of a plan. */
  readonly attempt: number;
  readonly status: Status;
  readonly message: string | null;
  readonly startedAt: string;
  /** Of the run as a whole. */
  readonly audits: readonly Audit[];
  readonly steps: readonly StepRecord[];
  /** What is to be known of the run as a whole. */
  readonly warnings: readonly string[];
}
