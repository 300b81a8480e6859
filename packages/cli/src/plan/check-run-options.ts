import { type PlanFile, type PlanProblem, UsageError, type Workload } from '@ibench/core';
import { checkDevices, serverUser } from '@ibench/host';
import { readLoadOptions } from '../load-options.ts';

/** What of the options for every run is not possible on this host, or with one of the workloads. */
export function checkRunOptions(
  { run }: PlanFile,
  workloads: readonly Workload[],
): readonly PlanProblem[] {
  const { driver, libpq, spin, pin } = run;
  const checks = [
    () => serverUser(run.serverUser ?? undefined),
    () => checkDevices(run.devices),
    ...workloads.map(
      (workload) => () =>
        readLoadOptions({ driver, libpq: libpq ?? undefined, spin, pin }, workload),
    ),
  ];
  const messages = checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return [error.message];
    }
  });
  return [...new Set(messages)].map((message) => ({ path: ['run'], at: 'value', message }));
}
