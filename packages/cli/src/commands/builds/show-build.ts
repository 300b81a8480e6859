import type { Build, Manifest } from '@ibench/host';

/** A build for people: a line for each thing that is known. */
export function showBuild(build: Build, manifest: Manifest | null): string {
  const { fingerprint } = build;
  const lines: [string, string | null][] = [
    ['name', build.name],
    ['version', build.version],
    ['source', build.source],
    ...sourceLines(manifest),
    ['registered', manifest?.registeredAt ?? null],
    ['root', build.root],
    ['version()', fingerprint.versionText],
    ['revision', fingerprint.revision],
    ['optimisation', fingerprint.optimisation ?? 'not known'],
    ['debug_assertions', fingerprint.debugAssertions ? 'on' : 'off'],
    ['debug build', build.debugReasons.join('; ') || 'no'],
    ...Object.entries(fingerprint.pgConfig).map(([name, value]): [string, string] => [
      `pg_config ${name}`,
      value,
    ]),
    ['fingerprint', fingerprint.digest],
    ['postgres', build.sha256],
    ['files', `${Object.keys(fingerprint.files).length}, unchanged`],
  ];
  const shown = lines.filter(([, value]) => value !== null);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('');
}

function sourceLines(manifest: Manifest | null): [string, string | null][] {
  const source = manifest?.source;
  switch (source?.kind) {
    case 'npm':
      return [['integrity', source.integrity]];
    case 'compiled':
      return [
        ['built by', `${source.system} in ${Math.round(source.seconds)} s`],
        ['cflags', source.cflags],
        ['options', source.options.join(' ') || null],
      ];
    default:
      return [];
  }
}
