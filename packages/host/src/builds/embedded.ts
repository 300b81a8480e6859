import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RunError } from '@ibench/core';
import { type Build, buildFrom, readVersion } from './build.ts';
import { EMBEDDED } from './builds-directory.ts';
import { checksums, POSTGRES, takeFingerprint } from './fingerprint.ts';
import { npmPackage } from './npm-versions.ts';
import type { NamedBuild } from './taken-name.ts';

/** The build that comes with the tool. @throws RunError when its package is not installed */
export async function embeddedBuild(): Promise<Build> {
  const root = embeddedRoot();
  const postgres = path.join(root, POSTGRES);
  if (!fs.existsSync(postgres)) throw new RunError(`build embedded: there is no ${postgres}`);
  const version = await readVersion(postgres);
  const fingerprint = await takeFingerprint(root);
  return buildFrom({ name: `pg${version}`, version, root, source: EMBEDDED, fingerprint });
}

/** What the embedded build is, when it has this name; null when it has another or is not there. */
export async function embeddedNamed(name: string): Promise<NamedBuild | null> {
  try {
    const version = await readVersion(path.join(embeddedRoot(), POSTGRES));
    if (name !== `pg${version}`) return null;
    return { source: EMBEDDED, digest: checksums(embeddedRoot()).digest };
  } catch {
    return null;
  }
}

/** libpq of the embedded build: the client library of every run unless another is named. */
export function embeddedLibpq(): string {
  const lib = path.join(embeddedRoot(), 'lib');
  const found = ['libpq.so.5', 'libpq.5.dylib', 'libpq.so']
    .map((name) => path.join(lib, name))
    .find((file) => fs.existsSync(file));
  if (found === undefined) {
    throw new RunError(
      `no libpq in ${lib}: the package's install script did not run; run \`npm rebuild\` in the clone`,
    );
  }
  return found;
}

/** The platform package is looked up by its name, so that npm decides which one is installed. */
function embeddedRoot(): string {
  const name = npmPackage();
  try {
    const entry = fileURLToPath(import.meta.resolve(name));
    return path.join(path.dirname(entry), '..', 'native');
  } catch (cause) {
    throw new RunError(
      `the package ${name} is not installed: run \`npm install\` in the clone, or name a build with --build NAME or DIR`,
      { cause },
    );
  }
}
