/** Major versions of the server, both ends included; `to` is infinite where newer ones are meant too. */
export interface VersionRange {
  readonly from: number;
  readonly to: number;
}

export const ANY_VERSION: VersionRange = { from: 0, to: Number.POSITIVE_INFINITY };

/** Reads `15`, `13-17` or `13-` (13 and newer); null for anything else. */
export function parseVersions(text: string): VersionRange | null {
  const match = /^(\d{1,3})(?:\s*(-)\s*(\d{1,3})?)?$/.exec(text.trim());
  if (match === null) return null;
  const from = Number(match[1]);
  const to =
    match[2] === undefined
      ? from
      : match[3] === undefined
        ? Number.POSITIVE_INFINITY
        : Number(match[3]);
  return from > 0 && to >= from ? { from, to } : null;
}

/** As it is written in a file; `any` for all. */
export function describeVersions({ from, to }: VersionRange): string {
  if (from === 0 && to === Number.POSITIVE_INFINITY) return 'any';
  if (from === to) return String(from);
  return `${from}-${to === Number.POSITIVE_INFINITY ? '' : to}`;
}

/** The versions in both; null where there are none. */
export function commonVersions(a: VersionRange, b: VersionRange): VersionRange | null {
  const both = { from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) };
  return both.from <= both.to ? both : null;
}

export function hasVersion({ from, to }: VersionRange, major: number): boolean {
  return major >= from && major <= to;
}

/** The major version of a build: 17 of `17.9`, 19 of `19devel`. */
export function majorVersion(build: { readonly version: string }): number {
  return Number.parseInt(build.version, 10);
}
