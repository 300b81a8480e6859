import { type PlanFile, type PlanProblem, UsageError, type Workload } from '@ibench/core';
import { checkDevices, checkPerf, serverUser } from '@ibench/host';
import { readLoadOptions } from '../load-options.ts';

/** What of the options for every run is not possible on this host, or with one of the workloads. */
export async function checkRunOptions(
  { run }: PlanFile,
  workloads: readonly Workload[],
): Promise<readonly PlanProblem[]> {
  const { driver, libpq, spin, pin } = run;
  const checks = [
    () => serverUser(run.serverUser ?? undefined),
    () => checkDevices(run.devices),
    ...(run.profile === null ? [] : [checkPerf]),
    ...workloads.map(
      (workload) => () =>
        readLoadOptions({ driver, libpq: libpq ?? undefined, spin, pin }, workload),
    ),
  ];
  const messages: string[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      messages.push(error.message);
    }
  }
  return [...new Set(messages)].map((message) => ({ path: ['run'], at: 'value', message }));
}
