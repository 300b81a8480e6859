import { type Axis, axesOf } from './axes.ts';
import type { ComparedRun, Difference } from './difference.ts';
import { isCompilation, isDerived, isIgnored, isNeverByTheWay, withoutPrefix } from './names.ts';

/**
 * axis: what is under test. follows: comes with the build or configuration under test, such as a setting
 * that only one version has. surprise: differs besides.
 */
export type DifferenceKind = 'surprise' | 'axis' | 'follows';

export interface ClassifiedDifference extends Difference {
  readonly kind: DifferenceKind;
}

/** What runs differ in, apart by whether it is what they are meant to differ in. */
export interface Comparability {
  readonly runs: readonly ComparedRun[];
  readonly axes: readonly Axis[];
  /** Surprises first, within a kind in the order given. */
  readonly differences: readonly ClassifiedDifference[];
}

/**
 * Recognises the axis under test and tells what differs besides. A difference is explained by an axis
 * only if it is always the same for the same build (config, workload): two runs of one name that differ
 * are a surprise, whatever the axis.
 */
export function compareRuns(
  runs: readonly ComparedRun[],
  found: readonly Difference[],
): Comparability {
  const axes = axesOf(runs);
  const version = found.find(({ area, name }) => area === 'setting' && name === 'server_version');
  const world: World = { runs, axes, version };
  const differences = found
    .filter(({ area, name }) => !isIgnored(area, name))
    .map(withoutOwnFolders)
    .filter((difference) => differs(difference, runs))
    .map((difference) => ({ ...difference, kind: classify(difference, world) }))
    .sort((a, b) => KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind));
  return { runs, axes, differences };
}

interface World {
  readonly runs: readonly ComparedRun[];
  readonly axes: readonly Axis[];
  /** The versions of the servers, where they differ. */
  readonly version: Difference | undefined;
}

const KIND_ORDER: readonly DifferenceKind[] = ['surprise', 'axis', 'follows'];

function withoutOwnFolders(difference: Difference): Difference {
  if (difference.area !== 'build' || difference.name !== 'pg_config_configure') return difference;
  const entries = [...difference.byRun].map(([runId, observed]) => {
    const value = observed.value === null ? null : withoutPrefix(observed.value);
    return [runId, { ...observed, value }] as const;
  });
  return { ...difference, byRun: new Map(entries) };
}

function differs({ byRun }: Difference, runs: readonly ComparedRun[]): boolean {
  return new Set(runs.map(({ runId }) => byRun.get(runId)?.value)).size > 1;
}

function classify(difference: Difference, world: World): DifferenceKind {
  const { runs, axes } = world;
  const goesWith = (axis: Axis): boolean =>
    axes.includes(axis) && isFunctionOf(difference, runs, [axis]);
  switch (difference.area) {
    case 'host':
    case 'client':
      return 'surprise';
    case 'workload':
      return goesWith('workload') ? 'axis' : 'surprise';
    case 'run':
      return difference.name === 'config_sha256'
        ? classifyConfigText(difference, world)
        : 'surprise';
    case 'build':
      if (!goesWith('build')) return 'surprise';
      return isCompilation('build', difference.name) ? kindOfFlags(difference, world) : 'follows';
    case 'setting':
      return classifySetting(difference, world);
    default: {
      const never: never = difference.area;
      return never;
    }
  }
}

/** What a config asks for depends on the version too, and is told by its settings. */
function classifyConfigText(difference: Difference, { runs, axes }: World): DifferenceKind {
  const explained = axes.some((axis) => axis !== 'workload');
  return explained && isFunctionOf(difference, runs, ['build', 'config']) ? 'follows' : 'surprise';
}

function classifySetting(difference: Difference, world: World): DifferenceKind {
  const { runs, axes } = world;
  const { name, byRun } = difference;
  const explained = axes.some((axis) => axis !== 'workload');
  if (!explained || !isFunctionOf(difference, runs, ['build', 'config'])) return 'surprise';
  const byBuild = isFunctionOf(difference, runs, ['build']);
  const observed = [...byRun.values()];
  if (observed.some(({ requested }) => requested)) {
    const byConfig = isFunctionOf(difference, runs, ['config']);
    if (axes.includes('config') && (byConfig || !byBuild)) return 'axis';
    return isOfSomeVersions(difference, runs) ? 'follows' : 'surprise';
  }
  if (isCompilation('setting', name)) {
    return axes.includes('build') && byBuild ? kindOfFlags(difference, world) : 'surprise';
  }
  if (axes.includes('build') && byBuild && isOfOtherVersions(difference, world)) return 'follows';
  if (isNeverByTheWay(name)) return 'surprise';
  if (isDerived(name)) return 'follows';
  if (!axes.includes('build') || !byBuild) return 'surprise';
  const ofTheVersion = name === 'server_version' || observed.every(({ isDefault }) => isDefault);
  return ofTheVersion ? 'follows' : 'surprise';
}

/**
 * How a binary was compiled is the axis where builds of one version differ in it. Where it only differs
 * between versions, it is a second difference beside the version.
 */
function kindOfFlags(difference: Difference, { runs, version }: World): DifferenceKind {
  const withVersion = isFunction(
    runs.map(({ runId }) => [version?.byRun.get(runId)?.value, difference.byRun.get(runId)?.value]),
  );
  return withVersion ? 'surprise' : 'axis';
}

/** Do only some versions have the setting, and those the same value? */
function isOfSomeVersions({ byRun }: Difference, runs: readonly ComparedRun[]): boolean {
  const values = new Set([...byRun.values()].map(({ value }) => value));
  return values.size === 1 && runs.some(({ runId }) => !byRun.has(runId));
}

/** Do the servers that lack the setting have other versions than those that have it, all with one value? */
function isOfOtherVersions(difference: Difference, { runs, version }: World): boolean {
  if (version === undefined || !isOfSomeVersions(difference, runs)) return false;
  return isFunction(
    runs.map(({ runId }) => [version.byRun.get(runId)?.value, difference.byRun.has(runId)]),
  );
}

function isFunctionOf(
  { byRun }: Difference,
  runs: readonly ComparedRun[],
  parts: readonly Axis[],
): boolean {
  return isFunction(
    runs.map((run) => [
      JSON.stringify(parts.map((part) => run[part])),
      byRun.get(run.runId)?.value,
    ]),
  );
}

/** Does each first have one second? */
function isFunction(pairs: readonly (readonly [unknown, unknown])[]): boolean {
  const seen = new Map<unknown, unknown>();
  for (const [from, to] of pairs) {
    if (seen.has(from) && seen.get(from) !== to) return false;
    seen.set(from, to);
  }
  return true;
}
