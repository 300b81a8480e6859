import {
  isInvalid,
  type RunRecord,
  STEP_NAMES,
  type StepMetrics,
  type StepRecord,
} from '@ibench/core';
import { lastAttempts } from './last-attempts.ts';

/** One row of the tables: the repeats of one (tag, build, config, workload, clients). */
export interface RunGroup {
  /** The tag; where one tag names different things, what differs is added in parentheses, as is an earlier attempt. */
  readonly label: string;
  readonly tag: string;
  readonly runs: readonly RunRecord[];
}

/** How far the repeats of a group got in one step. */
export type GroupStep =
  | { readonly state: 'absent' }
  | { readonly state: 'not-done'; readonly status: StepRecord['status'] }
  /** Done, and in every repeat something was wrong that makes its numbers worthless. */
  | { readonly state: 'invalid'; readonly repeats: readonly DoneStep[] }
  | { readonly state: 'done'; readonly repeats: readonly DoneStep[] };

/** A step whose numbers may be reported. */
export interface DoneStep extends StepRecord {
  readonly metrics: StepMetrics;
}

/** The parts of a run's identity that repeats share, beside the tag. */
const SHARED = ['build', 'config', 'workload', 'clients'] as const;

/** Did the runs of both do the same work? */
export function sameLoad(a: RunGroup, b: RunGroup): boolean {
  const [first, second] = [a.runs[0]!, b.runs[0]!];
  return first.workload === second.workload && first.clients === second.clients;
}

/** A line for each row on what work it did, where the rows did different work; else none. */
export function loadNotes(groups: readonly RunGroup[]): string[] {
  if (groups.every((group) => sameLoad(group, groups[0]!))) return [];
  return groups.map((group) => `${group.label}: ${loadText(group)}`);
}

/** What work a row did: `workload cached, 4 clients`. */
export function loadText({ runs: [run] }: RunGroup): string {
  return `workload ${describePart(run!, 'workload')}, ${describePart(run!, 'clients')}`;
}

/**
 * Groups runs into rows, in the order in which their first run is given. Attempts at one repeat of a plan never share a
 * row: only the last counts, and each earlier one that is given has a row of its own, after the others.
 */
export function groupRuns(runs: readonly RunRecord[]): RunGroup[] {
  const counted = new Set(lastAttempts(runs));
  const earlier = runs.filter((run) => !counted.has(run));
  const groups = new Map<string, RunRecord[]>();
  for (const run of [...counted, ...earlier]) {
    const apart = counted.has(run) ? null : run.runId;
    const key = JSON.stringify([run.tag, ...SHARED.map((part) => run[part]), apart]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [run]);
    else group.push(run);
  }
  const firsts = [...groups.values()].map((group) => group[0]!);
  return [...groups.values()].map((group) => {
    const [first] = group as [RunRecord];
    const label = labelAmong(first, firsts);
    return {
      label: counted.has(first)
        ? label
        : `${label} (repeat ${first.repeat}, attempt ${first.attempt})`,
      tag: first.tag,
      runs: group,
    };
  });
}

/** A line for each row with repeats that were tried before, unless those attempts have rows themselves. */
export function attemptNotes(groups: readonly RunGroup[]): string[] {
  const all = groups.flatMap(({ runs }) => runs);
  return groups.flatMap(({ label, runs }) => {
    const before = runs.reduce((sum, run) => sum + run.attempt - 1, 0);
    const shown = all.filter((other) => runs.some((run) => isEarlier(other, run)));
    const leftOut = before - shown.length;
    if (leftOut === 0) return [];
    const count = leftOut === 1 ? '1 earlier attempt is' : `${leftOut} earlier attempts are`;
    return [
      `${label}: ${count} left out, since of each repeat only the last attempt counts; its run id with --run shows one`,
    ];
  });
}

function isEarlier(other: RunRecord, { planRun, attempt }: RunRecord): boolean {
  return planRun !== null && other.planRun === planRun && other.attempt < attempt;
}

function labelAmong(run: RunRecord, firsts: readonly RunRecord[]): string {
  const namesakes = firsts.filter((other) => other.tag === run.tag);
  const differing = SHARED.filter((part) => namesakes.some((other) => other[part] !== run[part]));
  if (differing.length === 0) return run.tag;
  return `${run.tag} (${differing.map((part) => describePart(run, part)).join(', ')})`;
}

function describePart(run: RunRecord, part: (typeof SHARED)[number]): string {
  if (part !== 'clients') return run[part];
  return run.clients === 1 ? '1 client' : `${run.clients} clients`;
}

/** Names of all steps of the runs: those of the Insert Benchmark in its order, then others as they ran. */
export function stepNames(runs: readonly RunRecord[]): string[] {
  const bySeq = runs.flatMap((run) => run.steps).sort((a, b) => a.seq - b.seq);
  const present = new Set(bySeq.map((step) => step.step));
  const known: readonly string[] = STEP_NAMES;
  return [
    ...known.filter((name) => present.has(name)),
    ...[...present].filter((name) => !known.includes(name)),
  ];
}

/**
 * What the repeats of a group have to say about a step. Only steps that are done and valid have numbers, and one
 * that is inherited counts with the run that ran it.
 */
export function groupStep(group: RunGroup, name: string): GroupStep {
  const all = group.runs.flatMap(({ steps }) => steps.filter(({ step }) => step === name));
  const attempts = all.filter(({ status }) => status !== 'inherited');
  const done = attempts.filter(isDone);
  const repeats = done.filter(({ audits }) => !isInvalid(audits));
  if (repeats.length > 0) return { state: 'done', repeats };
  if (done.length > 0) return { state: 'invalid', repeats: done };
  const last = attempts.at(-1) ?? all.at(-1);
  return last === undefined ? { state: 'absent' } : { state: 'not-done', status: last.status };
}

/** The repeats whose numbers count; none where the step is not done, or in no valid way. */
export function repeatsOf(outcome: GroupStep): readonly DoneStep[] {
  return outcome.state === 'done' ? outcome.repeats : [];
}

/** The repeats of a row whose numbers count in a step. */
export function doneRepeats(group: RunGroup, step: string): readonly DoneStep[] {
  return repeatsOf(groupStep(group, step));
}

/** A line for each row on what it started from, where steps were not run again but inherited, and where they count. */
export function inheritedNotes(groups: readonly RunGroup[]): string[] {
  return groups.flatMap((group) => {
    const inherited = group.runs.flatMap(({ steps }) =>
      steps.filter(({ inheritedFrom }) => inheritedFrom),
    );
    const sources = [...new Set(inherited.map(({ inheritedFrom }) => inheritedFrom!))];
    return sources.map((source) => {
      const steps = inherited.filter(({ inheritedFrom }) => inheritedFrom === source);
      const names = [...new Set(steps.map(({ step }) => step))].join(', ');
      if (steps.some(({ status }) => status === 'done')) {
        return `${group.label}: ${names} measured by run ${source}, an earlier attempt at the same repeat, whose data it started from`;
      }
      const heir = groups.find((other) => other !== group && hasTakenOver(other, source));
      const where = heir === undefined ? ', where they count' : `; they count for ${heir.label}`;
      return `${group.label}: ${names} inherited from run ${source}${where}`;
    });
  });
}

/** Do the steps of a run, an attempt that is left out, count in this row? */
function hasTakenOver({ runs }: RunGroup, runId: string): boolean {
  return runs.some(({ steps }) =>
    steps.some(({ status, inheritedFrom }) => status === 'done' && inheritedFrom === runId),
  );
}

function isDone(step: StepRecord): step is DoneStep {
  return step.status === 'done' && step.metrics !== null;
}

/** Numbers of the metrics: every column of StepMetrics but the verdicts. */
export type MetricName = Exclude<keyof StepMetrics, 'sla_ok' | 'client_bound'>;

/** Median of a metric over the repeats that have it; null where none has. */
export function medianMetric(repeats: readonly DoneStep[], name: MetricName): number | null {
  return median(repeats.map((repeat) => repeat.metrics[name]));
}

/** Median of the values that are there (even count: mean of the middle two); null for none. */
export function median(values: readonly (number | null | undefined)[]): number | null {
  const sorted = values
    .filter((value): value is number => typeof value === 'number' && !Number.isNaN(value))
    .sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const upper = sorted[Math.floor(sorted.length / 2)]!;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]!;
  return (lower + upper) / 2;
}
