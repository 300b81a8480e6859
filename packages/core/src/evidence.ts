import type { StatementKind } from './step.ts';
import type { Clock } from './times.ts';

/** What one kind of statement did in each second of a step, all clients together. */
export interface StatementSeries {
  readonly kind: StatementKind;
  /** Whole seconds since the step started, ascending; the other arrays are as long. */
  readonly seconds: readonly number[];
  readonly ops: readonly number[];
  readonly rows: readonly number[];
  /** Slowest operation that completed in the second, microseconds; NaN without one. */
  readonly maxUs: readonly number[];
}

/** Columns of the operating system's series; I/O is over all devices. */
export const OS_COLUMNS = [
  'us',
  'sy',
  'wa',
  'st',
  'r',
  'cs',
  'reads_per_s',
  'read_kb_per_s',
  'writes_per_s',
  'write_kb_per_s',
  'flushes_per_s',
  'flush_await_ms',
  'queue_size',
] as const;
export type OsColumn = (typeof OS_COLUMNS)[number];

/** What vmstat and iostat showed during a step; units as in the view os_samples. */
export interface OsSeries {
  /** Seconds since the step started, at the end of each sample. */
  readonly seconds: readonly number[];
  /** One value per sample; NaN: not measured. */
  readonly columns: Readonly<Record<OsColumn, readonly number[]>>;
}

/** Sessions of the server that were active during a step, by what they waited for. */
export interface WaitSeries {
  /** Whole seconds since the step started in which the server was sampled, ascending. */
  readonly seconds: readonly number[];
  /** Mean number of active sessions in each second by type of wait; `CPU`: they wait for nothing. */
  readonly active: ReadonlyMap<string, readonly number[]>;
}

/** What was seen of the server in a step beside its waits; all seconds whole ones since the step started, ascending. */
export interface ServerSeries {
  /** Time to plan a delete, where it was looked at. */
  readonly planning: TimedSeries;
  /** Mean time of the deleter's queries for the smallest id, in seconds that had any. */
  readonly resync: TimedSeries;
  /** Sampled seconds in which the checkpointer was at a checkpoint, and any autovacuum worker was there. */
  readonly checkpointing: readonly number[];
  readonly vacuuming: readonly number[];
  /** Sampled seconds in which a checkpoint, and any autovacuum, had ended since the sample before. */
  readonly checkpointed: readonly number[];
  readonly vacuumed: readonly number[];
  /** CPUs used, by role. */
  readonly cpu: {
    readonly seconds: readonly number[];
    readonly values: ReadonlyMap<string, readonly number[]>;
  };
}

/** A time at some seconds, milliseconds. */
export interface TimedSeries {
  readonly seconds: readonly number[];
  readonly ms: readonly number[];
}

/** The series of one step of one run. */
export interface StepSeries {
  readonly statements: readonly StatementSeries[];
  readonly os: OsSeries;
  readonly waits: WaitSeries;
  readonly server: ServerSeries;
}

/** Histogram of the times of one kind of statement in one step, all clients together. */
export interface TimesHistogram {
  readonly kind: StatementKind;
  readonly clock: Clock;
  /** Ascending; buckets that are not empty. */
  readonly buckets: readonly { readonly upperUs: number; readonly count: number }[];
}

/** Something known about a run by name. */
export interface Fact {
  readonly category: string;
  readonly name: string;
  readonly value: string | number | null;
}

/** A setting of the server, in its own spelling. */
export interface SettingFact {
  readonly name: string;
  /** What the configuration asked for; null: not asked for. */
  readonly requested: string | null;
  readonly actual: string | null;
  readonly unit: string | null;
  readonly source: string | null;
}

/** What is needed to trust a run and to repeat it. */
export interface Provenance {
  readonly runId: string;
  readonly finishedAt: string | null;
  readonly directory: string;
  readonly seed: number;
  readonly toolVersion: string;
  readonly commandLine: string;
  readonly configText: string | null;
  readonly configSha256: string | null;
  readonly facts: readonly Fact[];
  readonly settings: readonly SettingFact[];
}
