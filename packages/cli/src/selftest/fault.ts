import type { Trial, TrialChoice } from './trial.ts';

/** The first read-write step: all kinds of workers and backends are there. */
export const STEP = 'qr100';

/** Something that is done to a run, and what the tool must say then. */
export interface Fault {
  readonly name: string;
  /** What is done. */
  readonly what: string;
  /** What the tool must say, for people; `expected` is the same for the machine. */
  readonly mustSay: string;
  readonly expected: RegExp;
  readonly choice: TrialChoice;
  /** Depends on time, or on what is left behind by it alone: nothing else may run beside it. */
  readonly alone?: true;
  /** Needs a small file system of its own, of this many megabytes. */
  readonly disk?: number;
  /** Step that must have failed, without numbers; null: no step may have. */
  readonly failed: string | null;
  readonly exitCode: number;
  /** Does it, and waits until there is something to be said. */
  inject(trial: Trial, place: FaultPlace): Promise<void>;
  /** What the tool said; the message of the run unless given. */
  said?(trial: Trial): string;
}

/** Where a fault is tried. */
export interface FaultPlace {
  /** Its folder, removed afterwards. */
  readonly directory: string;
  /** The small file system, where the fault needs one. */
  readonly disk: string | null;
}
