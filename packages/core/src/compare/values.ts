import type { Area, ComparedRun, Difference } from './difference.ts';

/** A value, and which runs have it. */
export interface ValueOfRuns {
  /** `absent` for a setting that the version lacks, `not recorded` and `none` for other facts. */
  readonly value: string;
  /** Tags; a tag whose repeats differ is followed by the ids of these runs. */
  readonly labels: readonly string[];
}

/** The values of a difference in the order in which runs show them first. */
export function valuesOf(difference: Difference, runs: readonly ComparedRun[]): ValueOfRuns[] {
  const byValue = new Map<string, ComparedRun[]>();
  for (const run of runs) {
    const value = shownValue(difference, run.runId);
    byValue.set(value, [...(byValue.get(value) ?? []), run]);
  }
  const split = splitTags([...byValue.values()]);
  return [...byValue].map(([value, having]) => ({ value, labels: labelsOf(having, split) }));
}

function shownValue({ area, byRun }: Difference, runId: string): string {
  const observed = byRun.get(runId);
  if (observed === undefined) return ABSENT[area] ?? 'not recorded';
  return observed.value === null ? 'none' : observed.value === '' ? "''" : observed.value;
}

const ABSENT: Readonly<Partial<Record<Area, string>>> = { setting: 'absent' };

function splitTags(parts: readonly (readonly ComparedRun[])[]): Set<string> {
  const seen = new Set<string>();
  const split = new Set<string>();
  for (const part of parts) {
    const tags = new Set(part.map(({ tag }) => tag));
    for (const tag of tags) (seen.has(tag) ? split : seen).add(tag);
  }
  return split;
}

function labelsOf(runs: readonly ComparedRun[], split: ReadonlySet<string>): string[] {
  const labels = runs.map(({ tag, runId }) => (split.has(tag) ? `${tag} (${runId})` : tag));
  return [...new Set(labels)];
}
