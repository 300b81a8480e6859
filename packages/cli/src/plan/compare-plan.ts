import type { PlanRunOptions } from '@ibench/core';
import type { NewPlanRun, PlanRunRecord } from '@ibench/store';

/** What a run is about, by which the runs of a plan and of its earlier beginning are matched. */
type Identity = Pick<NewPlanRun, 'tag' | 'workload' | 'repeat'>;

/**
 * What is not as it was when the plan began, a line each. The order is part of the method and so is what
 * the names stood for; how long a plan may take, or what it asks of the host, may change.
 */
export function planChanges(
  before: readonly PlanRunRecord[],
  now: readonly NewPlanRun[],
): string[] {
  const [old, fresh] = [before.map(nameOf), now.map(nameOf)];
  const lines = [
    ...old.filter((name) => !fresh.includes(name)).map((name) => `left out: ${name}`),
    ...fresh.filter((name) => !old.includes(name)).map((name) => `added: ${name}`),
  ];
  if (lines.length === 0 && old.some((name, i) => name !== fresh[i])) {
    lines.push('the order of the runs is another');
  }
  const changed = now.flatMap((run) => {
    const was = before.find((other) => nameOf(other) === nameOf(run));
    return was === undefined ? [] : partsChanged(was, run);
  });
  return [...lines, ...new Set(changed)];
}

/**
 * A line if the steps are not sampled as when the plan began, since sampling costs throughput.
 *
 * @param options of the plan, as they were stored
 */
export function profileChanges(options: string, { profile }: PlanRunOptions): string[] {
  const before = (JSON.parse(options) as { run: Partial<PlanRunOptions> }).run.profile ?? null;
  return JSON.stringify(before) === JSON.stringify(profile) ? [] : ['what is profiled has changed'];
}

function partsChanged(was: NewPlanRun, run: NewPlanRun): string[] {
  return [
    ...(was.buildSha256 === run.buildSha256 ? [] : [`build ${run.build} is another binary`]),
    ...(was.configSha256 === run.configSha256 ? [] : [`config ${run.config} has changed`]),
    ...(was.workloadSha256 === run.workloadSha256 ? [] : [`workload ${run.workload} has changed`]),
  ];
}

function nameOf({ tag, workload, repeat }: Identity): string {
  return `${tag}, ${workload}, repeat ${repeat}`;
}
