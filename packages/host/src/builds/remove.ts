import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from '@ibench/core';
import { buildFolder, checkBuildName, registeredNames } from './builds-directory.ts';
import { inWorkshop } from './workshop.ts';

/**
 * Forgets a registered build and removes what was made for it; a directory that was added keeps its files.
 *
 * @throws UsageError when there is none of this name
 */
export async function removeBuild(buildsDirectory: string, name: string): Promise<void> {
  const folder = buildFolder(buildsDirectory, checkBuildName(name));
  if (!fs.existsSync(folder)) {
    const known = registeredNames(buildsDirectory).join(', ') || 'none';
    throw new UsageError(`there is no registered build ${name} (registered: ${known})`);
  }
  // First out of its place, so that nobody finds half a build.
  await inWorkshop(buildsDirectory, async (workshop) => {
    fs.renameSync(folder, path.join(workshop, 'build'));
  });
}
