import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UsageError } from '@ibench/core';
import { readFolder } from '../folders.ts';

/**
 * Where builds are registered unless the user says otherwise: outside of every clone, so that all of them
 * share what was installed.
 *
 * @param environment IBENCH_BUILDS, or XDG_DATA_HOME of the XDG base directory specification
 */
export function defaultBuildsDirectory(
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (environment.IBENCH_BUILDS) return path.resolve(environment.IBENCH_BUILDS);
  const data = environment.XDG_DATA_HOME || path.join(os.homedir(), '.local', 'share');
  return path.join(data, 'ibench', 'builds');
}

/** How the folder of the builds is named. */
export const BUILDS_DIR = '--builds-dir (or IBENCH_BUILDS)';

/** The name of the build that comes with the tool; no other can have it. */
export const EMBEDDED = 'embedded';

/** A name is part of labels, paths and command lines. @throws UsageError */
export function checkBuildName(name: string): string {
  if (/^[A-Za-z0-9][\w.+-]{0,62}$/.test(name) && name !== EMBEDDED) return name;
  throw new UsageError(
    `build name ${JSON.stringify(name)}: expected letters, digits and . _ + - (at most 63, first a letter or digit), and not ${EMBEDDED}; for example pg17.9-lto`,
  );
}

/** In the folder of a build, what is known of it: without it there is no build. */
export const MANIFEST_FILE = 'build.json';

/** Names of the registered builds, versions in the order of their numbers. */
export function registeredNames(buildsDirectory: string): string[] {
  return foldersOf(buildsDirectory).filter((name) =>
    fs.existsSync(path.join(buildFolder(buildsDirectory, name), MANIFEST_FILE)),
  );
}

/** All folders that have the place of a build. */
export function foldersOf(buildsDirectory: string): string[] {
  return readFolder(BUILDS_DIR, buildsDirectory)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort(new Intl.Collator('en', { numeric: true }).compare);
}

/** The folder of a registered build. */
export function buildFolder(buildsDirectory: string, name: string): string {
  return path.join(buildsDirectory, name);
}
