import type { RunRecord, StepMetrics } from '@ibench/core';

/** A run whose step l.i1 inserted at this rate for so long. */
export function run(
  tag: string,
  ips: number,
  more: Partial<RunRecord> = {},
  seconds = 3,
): RunRecord {
  const metrics = { seconds, ips, target_ips: null } as StepMetrics;
  const step = {
    step: 'l.i1',
    seq: 0,
    status: 'done' as const,
    message: null,
    metrics,
    times: [],
    clients: [],
    server: null,
    sla: [],
    warnings: [],
    audits: [],
  };
  return {
    runId: `${tag}-${more.repeat ?? 1}`,
    tag,
    build: tag,
    config: 'base',
    workload: 'cached',
    repeat: 1,
    clients: 1,
    planRun: null,
    attempt: 1,
    status: 'done',
    message: null,
    startedAt: '2026-01-01T00:00:00Z',
    audits: [],
    steps: [step],
    warnings: [],
    ...more,
  };
}
