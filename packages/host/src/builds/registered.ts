import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from '@ibench/core';
import { type Build, buildFrom } from './build.ts';
import { buildFolder, foldersOf, MANIFEST_FILE } from './builds-directory.ts';
import { checksums, POSTGRES } from './fingerprint.ts';
import { type Fingerprint, type Manifest, readManifest } from './manifest.ts';
import type { NamedBuild } from './taken-name.ts';

/** The manifest of a registered build; null when there is none of this name. */
export function registeredManifest(buildsDirectory: string, name: string): Manifest | null {
  return readManifest(buildFolder(buildsDirectory, name));
}

/** Which build has this name; null when none has. */
export function registeredAs(buildsDirectory: string, name: string): NamedBuild | null {
  const manifest = registeredManifest(buildsDirectory, name);
  return manifest && { source: sourceText(manifest), digest: manifest.fingerprint.digest };
}

/** All manifests in the order of their names, and what is wrong with those that cannot be read. */
export function listManifests(buildsDirectory: string): {
  readonly manifests: Manifest[];
  readonly problems: string[];
} {
  const manifests: Manifest[] = [];
  const problems: string[] = [];
  for (const name of foldersOf(buildsDirectory)) {
    try {
      const manifest = registeredManifest(buildsDirectory, name);
      if (manifest === null) problems.push(noBuild(buildsDirectory, name));
      else manifests.push(manifest);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  return { manifests, problems };
}

/** What is to be said of a folder in the place of a build that has no manifest. */
export function noBuild(buildsDirectory: string, name: string): string {
  const folder = buildFolder(buildsDirectory, name);
  return `${folder} is no build: there is no ${MANIFEST_FILE} in it; remove the folder (ibench builds remove ${name}) and register the build again`;
}

/** Where a registered build's files are. */
export function rootOf(buildsDirectory: string, { name, root }: Manifest): string {
  return path.resolve(buildFolder(buildsDirectory, name), root);
}

/**
 * A registered build whose files are still those that were registered.
 *
 * @returns null when there is none of this name
 * @throws UsageError with what changed, and what to do
 */
export function findRegistered(buildsDirectory: string, name: string): Build | null {
  const manifest = registeredManifest(buildsDirectory, name);
  if (manifest === null) return null;
  const root = rootOf(buildsDirectory, manifest);
  const changes = changesOf(root, manifest.fingerprint);
  if (changes.length > 0) {
    throw new UsageError(
      `build ${name} is not what was registered: in ${root} ${changes.join(', ')}; one name stands for one build: ${repair(manifest, root)}`,
    );
  }
  const { version, fingerprint } = manifest;
  return buildFrom({ name, version, root, fingerprint, source: sourceText(manifest) });
}

/**
 * What is not as it was registered, in words; empty: nothing. Of a build in our folder only files are read whose
 * ctime is later, so that many are looked over in no time. A user's directory may have been put in the place of
 * another, with files that are older: there, all are read.
 */
export function quickChanges(buildsDirectory: string, manifest: Manifest): string[] {
  const root = rootOf(buildsDirectory, manifest);
  if (manifest.source.kind === 'directory') return changesOf(root, manifest.fingerprint);
  const { files } = manifest.fingerprint;
  const registered = Date.parse(manifest.registeredAt);
  return changesOf(root, manifest.fingerprint, (file) => {
    const { ctimeMs } = fs.statSync(path.join(root, file));
    return ctimeMs < registered - CLOCK_MARGIN_MS ? (files[file] ?? null) : null;
  });
}

/** Times of files come from a coarser clock, on another machine's disk from another one. */
const CLOCK_MARGIN_MS = 1000;

/** Where a registered build comes from, in a few words. */
export function sourceText({ source, root }: Manifest): string {
  switch (source.kind) {
    case 'npm':
      return `npm ${source.package}@${source.version}`;
    case 'directory':
      return `directory ${root}`;
    case 'compiled':
      return `compiled from ${source.source}${source.ref === null ? '' : ` at ${source.ref}`}`;
    default: {
      const never: never = source;
      return never;
    }
  }
}

function changesOf(
  root: string,
  { digest, files }: Fingerprint,
  known?: (file: string) => string | null,
): string[] {
  if (!fs.existsSync(path.join(root, POSTGRES))) return [`${POSTGRES} is missing`];
  const now = checksums(root, known);
  if (now.digest === digest) return [];
  const all = [...new Set([...Object.keys(files), ...Object.keys(now.files)])];
  return all.flatMap((file) => {
    const [before, after] = [files[file], now.files[file]];
    if (before === after) return [];
    if (after === undefined) return [`${file} is missing`];
    return [`${file} ${before === undefined ? 'is new' : 'has changed'}`];
  });
}

function repair({ name, source }: Manifest, root: string): string {
  const remove = `ibench builds remove ${name}`;
  if (source.kind === 'directory') {
    return `give the new one a name (ibench builds add ${root} --name NAME), or forget the old one (${remove}) and add it again`;
  }
  return `remove it (${remove}) and ${source.kind === 'npm' ? 'install' : 'compile'} it again`;
}
