import fs from 'node:fs';
import path from 'node:path';
import { RunError, UsageError } from '@ibench/core';
import { execa } from 'execa';
import { plainEnvironment } from '../process.ts';
import { type Build, readVersion } from './build.ts';
import { checkBuildName } from './builds-directory.ts';
import { POSTGRES, takeFingerprint } from './fingerprint.ts';
import { fetchPackage, readAvailable } from './npm.ts';
import { type AvailableVersion, chooseVersions, npmPackage } from './npm-versions.ts';
import { INSTALLATION, register } from './register.ts';
import { findRegistered, registeredManifest, sourceText } from './registered.ts';
import { nameTaken } from './taken-name.ts';
import { inWorkshop } from './workshop.ts';

export interface InstallOptions {
  readonly buildsDirectory: string;
  /** Default: `pg` and the version. */
  readonly name?: string;
  /** Aborted when the user interrupts. */
  readonly signal?: AbortSignal;
}

/** Both numbers of a Postgres version, or an npm version: no question to the registry is needed. */
const EXACT = /^(\d+\.\d+)(\.\d+(-\S+)?)?$/;

/**
 * Installs a Postgres version from npm, unless it is installed: fetched with npm, checked by it against
 * its lock file, tried, and registered. A version that is there is found without asking the registry.
 *
 * @param version `17.9`, `17` for its last release, or an npm version `17.9.0-beta.17`
 * @throws UsageError for a version that is not there or a name that is taken, RunError with npm's words
 */
export async function installNpmBuild(version: string, options: InstallOptions): Promise<Build> {
  const exact = EXACT.exec(version)?.[1];
  const found = exact === undefined ? null : installed({ postgres: exact, npm: version }, options);
  if (found !== null) return found;
  const [chosen] = chooseVersions([version], await readAvailable(options.signal));
  return installVersion(chosen as AvailableVersion, options);
}

/** The same for a version that the registry is known to have. */
export async function installVersion(
  version: AvailableVersion,
  options: InstallOptions,
): Promise<Build> {
  const { buildsDirectory, signal } = options;
  const name = nameFor(version, options);
  return (
    installed(version, options) ??
    inWorkshop(buildsDirectory, async (workshop) => {
      const project = path.join(workshop, 'project');
      fs.mkdirSync(project);
      const { directory, integrity } = await fetchPackage(project, version.npm, signal);
      const folder = path.join(workshop, 'build');
      const root = path.join(folder, INSTALLATION);
      fs.mkdirSync(folder);
      fs.renameSync(path.join(directory, 'native'), root);
      checkLinks(root);
      await checkPrograms(root);
      return await register(buildsDirectory, folder, {
        name,
        version: await readVersion(path.join(root, POSTGRES)),
        root: INSTALLATION,
        source: { kind: 'npm', package: npmPackage(), version: version.npm, integrity },
        fingerprint: await takeFingerprint(root),
      });
    })
  );
}

/**
 * The build under this name, when it is this version from npm. A directory with the same version may have the
 * same files: that shows when the version has been fetched.
 *
 * @throws UsageError when the name stands for what must be another build
 */
export function installed(version: AvailableVersion, options: InstallOptions): Build | null {
  const name = nameFor(version, options);
  const manifest = registeredManifest(options.buildsDirectory, name);
  if (manifest === null) return null;
  const { source } = manifest;
  if (source.kind === 'compiled' || manifest.version !== version.postgres) {
    throw new UsageError(nameTaken(name, sourceText(manifest)));
  }
  return source.kind === 'npm' ? findRegistered(options.buildsDirectory, name) : null;
}

function nameFor({ postgres }: AvailableVersion, { name }: InstallOptions): string {
  return checkBuildName(name ?? `pg${postgres}`);
}

/** An npm package holds no links; a list says which its install script has to make. */
function checkLinks(root: string): void {
  const list = path.join(root, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { target: string }[];
  const missing = links
    .map(({ target }) => path.join(root, path.relative('native', target)))
    .filter((file) => !fs.existsSync(file));
  if (missing.length === 0) return;
  throw new RunError(
    `npm did not run the install script of ${npmPackage()}: ${missing[0]} is missing; allow scripts (npm config get ignore-scripts), then install again`,
  );
}

/** A library that is missing shows when the program is loaded. */
async function checkPrograms(root: string): Promise<void> {
  for (const name of ['postgres', 'initdb']) {
    const program = path.join(root, 'bin', name);
    const { failed, stderr, shortMessage } = await execa(program, ['--version'], {
      env: plainEnvironment(),
      extendEnv: false,
      reject: false,
    });
    if (failed)
      throw new RunError(`${name} of ${npmPackage()} does not run: ${stderr || shortMessage}`);
  }
}
