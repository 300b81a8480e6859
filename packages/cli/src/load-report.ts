import {
  type Comparability,
  compareRuns,
  RunError,
  type RunRecord,
  resolveTag,
  UsageError,
} from '@ibench/core';
import { lastAttempts, surpriseLines } from '@ibench/report';
import { listRuns, loadDifferences, loadRuns, type Store } from '@ibench/store';

/** Runs, and what they differ in. */
export interface ComparedRuns {
  readonly runs: readonly RunRecord[];
  readonly comparability: Comparability;
}

/** Loads the runs that were named by id or tag, all when none was, and compares what they were made with. */
export function loadComparedRuns(store: Store, names: readonly string[]): ComparedRuns {
  const runs = loadRunsNamed(store, names);
  // Runs without a finished step have no numbers, and perhaps nothing recorded about them.
  const compared = runs.filter(({ steps }) => steps.some(({ metrics }) => metrics !== null));
  const differences = loadDifferences(
    store,
    compared.map(({ runId }) => runId),
  );
  return { runs, comparability: compareRuns(compared, differences) };
}

/**
 * The runs that were named by id or tag, in the order of the names; all, in the order of their start, when none was. Of
 * the attempts at one repeat of a plan that is the last, unless another is named by its id.
 */
export function loadRunsNamed(store: Store, names: readonly string[]): RunRecord[] {
  const runs = listRuns(store);
  const counted = new Set(lastAttempts(runs).map(({ runId }) => runId));
  const chosen = chosenRuns(names, runs);
  const loaded = loadRuns(store, {
    runIds: chosen.filter((runId) => counted.has(runId) || names.includes(runId)),
  });
  return loaded.sort((a, b) => chosen.indexOf(a.runId) - chosen.indexOf(b.runId));
}

/** Ids of the runs that were named by id or tag; all when none was. */
export function chosenRuns(
  names: readonly string[],
  runs: readonly { runId: string; tag: string }[],
): string[] {
  if (names.length === 0) return runs.map(({ runId }) => runId);
  return names.flatMap((name) => {
    const found = runsNamed(name, runs);
    if (found.length > 0) return found.map(({ runId }) => runId);
    const known = runs.map(({ runId, tag }) => `${runId} (${tag})`).join(', ') || 'none';
    throw new UsageError(`no such run or tag: ${name} (runs: ${known})`);
  });
}

/**
 * The runs with an id, else with a tag, which may be named without its marks.
 *
 * @throws UsageError where several tags could be meant
 */
export function runsNamed<T extends { readonly runId: string; readonly tag: string }>(
  name: string,
  runs: readonly T[],
): T[] {
  const byId = runs.filter(({ runId }) => runId === name);
  if (byId.length > 0) return byId;
  const meant = resolveTag(
    name,
    runs.map(({ tag }) => tag),
  );
  return runs.filter(({ tag }) => tag === meant);
}

/** @throws RunError with all that differs besides the axis under test */
export function refuseSurprises(comparability: Comparability): void {
  const lines = surpriseLines(comparability);
  if (lines.length === 0) return;
  throw new RunError(
    `--strict: the runs differ in more than what is under test (${comparability.axes.join(', ') || 'nothing'}):\n  ${lines.join('\n  ')}\nChoose runs with --run that differ in nothing else, or leave out --strict`,
  );
}
