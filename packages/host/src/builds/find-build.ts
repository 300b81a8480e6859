import fs from 'node:fs';
import path from 'node:path';
import { nearest, UsageError } from '@ibench/core';
import { type Build, buildFrom, readVersion } from './build.ts';
import { EMBEDDED, foldersOf, registeredNames } from './builds-directory.ts';
import { embeddedBuild, embeddedNamed } from './embedded.ts';
import { POSTGRES, takeFingerprint } from './fingerprint.ts';
import { findRegistered, noBuild, registeredAs } from './registered.ts';
import { nameTaken } from './taken-name.ts';

/**
 * Finds the build that the user named: nothing or `embedded` for the one that comes with the tool, the
 * name or version of a registered one or of the embedded (`pg17.9`, `17.9`), or a directory with
 * bin/postgres.
 *
 * @param buildsDirectory where builds are registered; nothing: none are looked up
 * @throws UsageError when there is no such build, with those there are, or the name stands for two
 */
export async function findBuild(
  name: string | undefined,
  buildsDirectory?: string,
): Promise<Build> {
  const build = await lookUp(name, buildsDirectory);
  const others = [
    buildsDirectory === undefined ? null : registeredAs(buildsDirectory, build.name),
    build.source === EMBEDDED ? null : await embeddedNamed(build.name),
  ];
  for (const other of others) {
    if (other === null || other.digest === build.fingerprint.digest) continue;
    throw new UsageError(`${build.source}: ${nameTaken(build.name, other.source)}`);
  }
  return build;
}

async function lookUp(
  name: string | undefined,
  buildsDirectory: string | undefined,
): Promise<Build> {
  if (name === undefined || name === EMBEDDED) return embeddedBuild();
  if (name.includes('/') || name === '.') return directoryBuild(name);
  for (const candidate of [name, `pg${name}`]) {
    const found = buildsDirectory && findRegistered(buildsDirectory, candidate);
    if (found) return found;
  }
  const embedded = await embeddedBuild();
  if ([embedded.name, embedded.version].includes(name)) return embedded;
  const stray = [name, `pg${name}`].find(
    (one) => buildsDirectory !== undefined && foldersOf(buildsDirectory).includes(one),
  );
  if (buildsDirectory !== undefined && stray !== undefined) {
    throw new UsageError(`build ${name}: ${noBuild(buildsDirectory, stray)}`);
  }
  throw new UsageError(unknownBuild(name, embedded.name, buildsDirectory));
}

async function directoryBuild(name: string): Promise<Build> {
  const root = path.resolve(name);
  const postgres = path.join(root, POSTGRES);
  if (!fs.existsSync(postgres)) throw new UsageError(`build ${name}: there is no ${postgres}`);
  const version = await readVersion(postgres);
  const fingerprint = await takeFingerprint(root);
  return buildFrom({
    name: `pg${version}`,
    version,
    root,
    source: `directory ${root}`,
    fingerprint,
  });
}

function unknownBuild(name: string, embedded: string, buildsDirectory: string | undefined): string {
  const registered = buildsDirectory === undefined ? [] : registeredNames(buildsDirectory);
  const known = [`${embedded} (embedded)`, ...registered.filter((one) => one !== embedded)];
  const near = nearest(name, [embedded, ...registered]);
  const version = /^(?:pg)?(\d+(?:\.\d+)?)$/.exec(name)?.[1];
  return [
    `unknown build "${name}": expected ${known.join(', ')}, or a directory with bin/postgres such as /usr/lib/postgresql/15`,
    ...(near === null ? [] : [`did you mean ${near}?`]),
    version === undefined
      ? 'builds are installed by ibench builds install VERSION, compiled by ibench builds compile'
      : `to install it: ibench builds install ${version}`,
  ].join('; ');
}
