import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from '@ibench/core';
import { type Build, readVersion } from './build.ts';
import { checkBuildName } from './builds-directory.ts';
import { POSTGRES, takeFingerprint } from './fingerprint.ts';
import { register } from './register.ts';
import { inWorkshop } from './workshop.ts';

export interface AddOptions {
  readonly buildsDirectory: string;
  /** Default: `pg` and the version. */
  readonly name?: string;
}

/**
 * Registers a directory with bin/postgres. Its files stay where they are; what they were is remembered.
 *
 * @throws UsageError when there is no postgres in it, or the name is taken; RunError when it does not run
 */
export async function addDirectory(directory: string, options: AddOptions): Promise<Build> {
  const root = path.resolve(directory);
  const postgres = path.join(root, POSTGRES);
  if (!fs.existsSync(postgres)) {
    throw new UsageError(
      `${directory}: there is no ${postgres}; expected a directory such as /usr/lib/postgresql/15`,
    );
  }
  const version = await readVersion(postgres);
  const name = checkBuildName(options.name ?? `pg${version}`);
  const fingerprint = await takeFingerprint(root);
  return inWorkshop(options.buildsDirectory, async (workshop) => {
    const folder = path.join(workshop, 'build');
    fs.mkdirSync(folder);
    const source = { kind: 'directory' } as const;
    return await register(options.buildsDirectory, folder, {
      name,
      version,
      root,
      source,
      fingerprint,
    });
  });
}
