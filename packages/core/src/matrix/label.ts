/** What has a slash, or the ending of a file, is a path and no name. */
export function isPath(name: string): boolean {
  return name.includes('/') || /\.(conf|ya?ml)$/.test(name) || name === '.';
}

/**
 * What a build, config or workload is called when its entry says nothing: its name, or the last part of
 * its path without the ending. A number there is a major version, as in /usr/lib/postgresql/15.
 */
export function labelOf(name: string): string {
  if (!isPath(name)) return name;
  const last = name.replace(/\/+$/, '').split('/').at(-1) ?? name;
  const stem = last.replace(/\.(conf|ya?ml)$/, '');
  return /^\d+$/.test(stem) ? `pg${stem}` : stem;
}
