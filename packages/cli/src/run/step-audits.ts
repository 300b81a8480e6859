import {
  type Audit,
  type CpuSplit,
  clientBoundAudit,
  cpuAudits,
  samplesAudit,
  type WorkerResult,
} from '@ibench/core';
import type { RunContext } from './context.ts';
import type { Readings } from './measurement.ts';

/** What is known of a step that ran to its end, beside the readings. */
interface Finished {
  readonly step: string;
  readonly cpuSplit: CpuSplit | null;
  readonly workers: readonly WorkerResult[];
}

/** What the readings of a step say about how far its numbers can be trusted. */
export function stepAudits(
  { workload, devices, limits, server }: RunContext,
  { before, after, samples }: Readings,
  { step, cpuSplit, workers }: Finished,
): Audit[] {
  const [osBefore, osAfter] = [before.os, after.os];
  const audits = [
    ...cpuAudits({ osBefore, osAfter, cpuSplit }, limits),
    ...clientBoundAudit(step, workers),
  ];
  if (osBefore === null || osAfter === null || server.host.place === 'none') return audits;
  const seconds = osAfter.atS - osBefore.atS;
  const wanted = { io: devices.length > 0 };
  return [
    ...audits,
    ...samplesAudit(samples, { seconds, intervalS: workload.sample_interval, wanted }),
  ];
}
