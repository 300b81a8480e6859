import fs from 'node:fs';
import { UsageError } from '@ibench/core';
import type { Build } from './build.ts';
import { buildFolder } from './builds-directory.ts';
import { embeddedNamed } from './embedded.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import { findRegistered, registeredAs } from './registered.ts';
import { nameTaken } from './taken-name.ts';

/** The folder of a finished build's files, in its own. */
export const INSTALLATION = 'installation';

/**
 * Registers a build that is finished: its folder gets the manifest and is moved into its place at once, so
 * that a name either has a whole build or none. A name that has the same build already keeps it.
 *
 * @param folder in a workshop; what belongs to the build is in it
 * @throws UsageError when the name stands for another build
 */
export async function register(
  buildsDirectory: string,
  folder: string,
  manifest: Omit<Manifest, 'format' | 'registeredAt'>,
): Promise<Build> {
  const { name, fingerprint } = manifest;
  refuseTakenName(name, fingerprint.digest, await embeddedNamed(name));
  writeManifest(folder, { format: 1, registeredAt: new Date().toISOString(), ...manifest });
  if (registeredAs(buildsDirectory, name) === null) {
    moveInto(buildFolder(buildsDirectory, name), folder);
  }
  refuseTakenName(name, fingerprint.digest, registeredAs(buildsDirectory, name));
  const build = findRegistered(buildsDirectory, name);
  if (build !== null) return build;
  throw new UsageError(
    `${buildFolder(buildsDirectory, name)} is in the way: it holds no build; move it away`,
  );
}

/** Somebody else who registers the same name at the same time may be faster. */
function moveInto(place: string, folder: string): void {
  try {
    fs.renameSync(folder, place);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function refuseTakenName(
  name: string,
  digest: string,
  other: ReturnType<typeof registeredAs>,
): void {
  if (other === null || other.digest === digest) return;
  throw new UsageError(nameTaken(name, other.source));
}
