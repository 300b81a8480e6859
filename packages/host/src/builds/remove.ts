import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from '@ibench/core';
import { buildFolder, checkBuildName, registeredNames } from './builds-directory.ts';
import { inWorkshop } from './workshop.ts';

/**
 * Forgets registered builds and removes what was made for them; a directory that was added keeps its files.
 *
 * @throws UsageError when there is none of one of the names; then all stay
 */
export async function removeBuilds(
  buildsDirectory: string,
  names: readonly string[],
): Promise<void> {
  const unique = [...new Set(names)];
  const folderOf = (name: string) => buildFolder(buildsDirectory, checkBuildName(name));
  const absent = unique.filter((name) => !fs.existsSync(folderOf(name)));
  if (absent.length > 0) {
    const known = registeredNames(buildsDirectory).join(', ') || 'none';
    throw new UsageError(
      `there is no registered build ${absent.join(', ')} (registered: ${known}); nothing was removed`,
    );
  }
  // First out of their places, so that nobody finds half a build.
  await inWorkshop(buildsDirectory, async (workshop) => {
    for (const name of unique) fs.renameSync(folderOf(name), path.join(workshop, `build-${name}`));
  });
}
