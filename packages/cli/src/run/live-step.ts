import type { StepPlan, WorkerJob } from '@ibench/core';
import type { DoneMessage, StepMemoryFile, WorkerProcess } from '@ibench/host';
import type { RunContext } from './context.ts';
import type { SecondsReader } from './seconds.ts';

/** One step in which workers run, while it runs. */
export interface LiveStep {
  readonly context: RunContext;
  readonly step: StepPlan;
  readonly stepKey: number;
  readonly jobs: readonly WorkerJob[];
  readonly memory: StepMemoryFile;
  readonly workers: readonly WorkerProcess[];
  readonly backendPids: (number | null)[];
  readonly seconds: SecondsReader;
  readonly done: (DoneMessage | null)[];
  startNs: number;
}
