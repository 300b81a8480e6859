import {
  type Audit,
  type CpuSplit,
  clientBoundAudit,
  cpuAudits,
  runnerAudit,
  samplesAudit,
  type WorkerResult,
} from '@ibench/core';
import type { RunContext } from './context.ts';
import type { Readings } from './measurement.ts';

/** What is known of a step that ran to its end, beside the readings. */
interface Finished {
  readonly step: string;
  readonly seconds: number;
  readonly cpuSplit: CpuSplit | null;
  /** None: the runner did the work itself. */
  readonly workers: readonly WorkerResult[];
}

/** What the readings of a step say about how far its numbers can be trusted. */
export function stepAudits(
  { workload, devices, limits, server }: RunContext,
  { before, after, samples, runnerPauseS: pauseS }: Readings,
  { step, seconds, cpuSplit, workers }: Finished,
): Audit[] {
  const [osBefore, osAfter] = [before.os, after.os];
  const countersS = osBefore === null || osAfter === null ? null : osAfter.atS - osBefore.atS;
  const audits = [
    runnerAudit({ seconds, pauseS, isWork: workers.length === 0, countersS }),
    ...cpuAudits({ osBefore, osAfter, cpuSplit }, limits),
    ...clientBoundAudit(step, workers),
  ];
  if (countersS === null || server.host.place === 'none') return audits;
  // What comes while the runner stands still is read later, all at once: no tool is to blame for that.
  const sampled = { seconds: countersS - pauseS, intervalS: workload.sample_interval };
  return [...audits, ...samplesAudit(samples, { ...sampled, wanted: { io: devices.length > 0 } })];
}
