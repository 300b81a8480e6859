import type { RunRecord, StepMetrics } from '@ibench/core';
import { run, step } from '@ibench/core/testing';

/** A run whose step l.i1 inserted at this rate for so long. */
export function oneStepRun(
  tag: string,
  ips: number,
  more: Partial<RunRecord> = {},
  seconds = 3,
): RunRecord {
  const metrics: Partial<StepMetrics> = { seconds, ips };
  return run(tag, [step('l.i1', metrics)], { runId: `${tag}-${more.repeat ?? 1}`, ...more });
}
