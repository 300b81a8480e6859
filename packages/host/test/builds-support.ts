import fs from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { Build } from '../src/builds/build.ts';
import { defaultBuildsDirectory } from '../src/builds/builds-directory.ts';
import { findBuild } from '../src/builds/find-build.ts';
import { installNpmBuild } from '../src/builds/install-npm.ts';
import { makeDirectory } from './server-support.ts';

/** A Postgres version from npm in the default folder, which tests of all packages and later runs share. */
export function ensureBuild(version: string): Promise<Build> {
  return installNpmBuild(version, { buildsDirectory: defaultBuildsDirectory(process.env) });
}

/** The embedded build's files, not to be changed, and a folder for registered builds that is not made yet. */
export async function embeddedAndFolder(t: TestContext) {
  const { root } = await findBuild(undefined);
  return { root, buildsDirectory: path.join(makeDirectory(t), 'builds') };
}

/** The same with a copy of the files, which may be changed. */
export async function copyOfEmbedded(t: TestContext) {
  const { root, buildsDirectory } = await embeddedAndFolder(t);
  const copy = path.join(makeDirectory(t), 'postgres');
  fs.cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  return { copy, buildsDirectory };
}
