import fs from 'node:fs';
import path from 'node:path';
import { RunError } from '@ibench/core';
import { ExecaError, execa } from 'execa';
import {
  type AvailableVersion,
  availableVersions,
  npmPackage,
  parseNpmVersions,
} from './npm-versions.ts';

/** Asks the registry, through npm, which versions there are. @throws RunError with npm's words */
export async function readAvailable(signal?: AbortSignal): Promise<AvailableVersion[]> {
  const stdout = await npm(['view', npmPackage(), 'versions', '--json'], '/', signal);
  return availableVersions(parseNpmVersions(stdout));
}

/** A package that npm has fetched, checked and unpacked. */
export interface FetchedPackage {
  readonly directory: string;
  /** The checksum that npm has checked, from its lock file. */
  readonly integrity: string;
}

/**
 * Fetches one version of the package with npm, and lets it run its install script, which makes the
 * links that an npm package cannot hold.
 *
 * @param directory empty; becomes a project of its own
 */
export async function fetchPackage(
  directory: string,
  version: string,
  signal?: AbortSignal,
): Promise<FetchedPackage> {
  const name = npmPackage();
  const project = {
    name: 'ibench-build',
    private: true,
    dependencies: { [name]: version },
    allowScripts: { [name]: true },
  };
  fs.writeFileSync(path.join(directory, 'package.json'), JSON.stringify(project));
  await npm(['install', '--no-audit', '--no-fund', '--ignore-scripts=false'], directory, signal);
  const lock = JSON.parse(fs.readFileSync(path.join(directory, 'package-lock.json'), 'utf8'));
  const below = `node_modules/${name}`;
  return { directory: path.join(directory, below), integrity: lock.packages[below].integrity };
}

/**
 * Runs npm with the user's environment, since its registry and cache are configured there. What npm
 * tells programs that it runs about their own project (`npm start` may have started us) must not reach it.
 */
async function npm(
  args: readonly string[],
  directory: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    const all = [...args, '--prefix', directory, '--global=false', '--loglevel=error'];
    const { stdout } = await execa('npm', all, {
      cwd: directory,
      stdin: 'ignore',
      ...(signal === undefined ? {} : { cancelSignal: signal }),
    });
    return stdout;
  } catch (cause) {
    signal?.throwIfAborted();
    const words =
      cause instanceof ExecaError ? `${cause.stderr || cause.shortMessage}` : `${cause}`;
    throw new RunError(`npm ${args.slice(0, 2).join(' ')} failed:\n${words}`, { cause });
  }
}
