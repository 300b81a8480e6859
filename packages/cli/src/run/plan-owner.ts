import { UsageError } from '@ibench/core';
import { isRunning } from '@ibench/host';
import type { PlanRecord } from '@ibench/store';

/** Does the runner that works on the plan still live? Also between two runs of the plan. */
export function isOwned({ status, runnerPid, runnerStart }: PlanRecord): boolean {
  return status === 'running' && isRunning(runnerPid, runnerStart);
}

/**
 * Two runners would do the same runs at the same time: `--allow-concurrent` lets them share a host, not a plan.
 *
 * @throws UsageError while another runner works on the plan
 */
export function refuseOwned(plan: PlanRecord | null): void {
  if (plan === null || !isOwned(plan)) return;
  throw new UsageError(
    `plan ${plan.name} is being carried out by another runner (pid ${plan.runnerPid}): wait until it ends, or end it; --allow-concurrent is for other plans and runs`,
  );
}
