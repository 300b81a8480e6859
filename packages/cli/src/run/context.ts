import type { CpuBounds, Pin, Workload } from '@ibench/core';
import type { DatabaseServer } from '@ibench/host';
import type { Store } from '@ibench/store';
import type { CanaryTaker } from './canary.ts';
import type { Observers } from './observers.ts';
import type { Profiler } from './profiler.ts';
import type { Progress } from './progress.ts';
import type { RunLog } from './run-log.ts';

/** What a step may not exceed, or fall below. */
export interface RunLimits extends CpuBounds {
  /** Bytes to be left free where the run writes. */
  readonly diskReserve: number;
}

/** What every step of a run needs. */
export interface RunContext {
  readonly runId: string;
  readonly runKey: number;
  readonly workload: Workload;
  readonly server: DatabaseServer;
  readonly store: Store;
  /** The run's folder. */
  readonly directory: string;
  /** Main file of the load generator. */
  readonly clientEntry: string;
  readonly devices: readonly string[];
  /** CPUs of the load generator's workers and their backends. */
  readonly pin: Pin;
  /** null: the server is not sampled. */
  readonly observers: Observers | null;
  readonly limits: RunLimits;
  /** Asked before each step; null: not there. */
  readonly canary: CanaryTaker | null;
  /** null: no stacks are sampled. */
  readonly profiler: Profiler | null;
  readonly log: RunLog;
  readonly progress: Progress;
  /** Aborted when the user interrupts; its reason is an Interrupted. */
  readonly signal: AbortSignal;
}

/** The user, or the system, asked the run to stop. */
export class Interrupted extends Error {
  override readonly name: string = 'Interrupted';
}

/** How connections of a run are called: tool, run, role and client (at most 63 bytes). */
export function applicationName(runId: string, role: string, client = 0, ordinal = 1): string {
  const who = client === 0 ? role : `${role}/${client}${ordinal === 1 ? '' : `.${ordinal}`}`;
  return `ibench/${runId}/${who}`;
}
