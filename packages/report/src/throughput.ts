import { isClientBound, isQueryStep, slaMet } from '@ibench/core';
import { type GroupStep, groupStep, medianMetric, type RunGroup } from './run-group.ts';

/** Throughput and background rate of one row in one step, medians over its repeats. */
export interface Throughput {
  readonly outcome: GroupStep;
  /** queries/s in q*, rows indexed/s in l.x, inserts/s in the other steps; null: not known. */
  readonly value: number | null;
  /** What the last repeat had, where no repeat is valid: to be shown, and used for nothing. */
  readonly invalidValue: number | null;
  /** Rows inserted per second, asked for and achieved; target null where none was set. */
  readonly ips: number | null;
  readonly targetIps: number | null;
  /** Did the step fall short of 95% of its target rate? */
  readonly missedSla: boolean;
  /** Share (0..1) of its time that the worker which set the pace waited for the server; null: not known. */
  readonly serverWaitShare: number | null;
  /** Did the load generator set the pace? false where that is not known. */
  readonly clientBound: boolean;
}

/** Throughput of a row in a step; all null unless at least one repeat is done. */
export function throughputOf(group: RunGroup, step: string): Throughput {
  const outcome = groupStep(group, step);
  const metric = throughputMetric(step);
  if (outcome.state === 'invalid') {
    return { outcome, ...NOTHING, invalidValue: outcome.repeats.at(-1)?.metrics[metric] ?? null };
  }
  if (outcome.state !== 'done') return { outcome, ...NOTHING };
  const ips = medianMetric(outcome.repeats, 'ips');
  const targetIps = medianMetric(outcome.repeats, 'target_ips');
  const serverWaitShare = medianMetric(outcome.repeats, 'server_wait_share');
  return {
    outcome,
    invalidValue: null,
    value: medianMetric(outcome.repeats, metric),
    ips,
    targetIps,
    missedSla: ips !== null && targetIps !== null && !slaMet(ips, targetIps),
    serverWaitShare,
    clientBound: serverWaitShare !== null && isClientBound(serverWaitShare),
  };
}

const NOTHING: Omit<Throughput, 'outcome'> = {
  value: null,
  invalidValue: null,
  ips: null,
  targetIps: null,
  missedSla: false,
  serverWaitShare: null,
  clientBound: false,
};

/** The metric that is the throughput of a step. */
export function throughputMetric(step: string): 'qps' | 'ips' {
  return isQueryStep(step) ? 'qps' : 'ips';
}

/** Steps of the throughput tables: settle has no throughput. */
export function throughputSteps(steps: readonly string[]): string[] {
  return steps.filter((step) => step !== 'settle');
}
