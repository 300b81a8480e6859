import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { RunError } from '@ibench/core';
import { execa } from 'execa';
import { plainEnvironment } from '../process.ts';
import { inTemporaryDirectory } from '../temporary-directory.ts';
import { optimisationIn, readBinaryText } from './binary-text.ts';
import type { Fingerprint } from './manifest.ts';

/** The binary's place in every build. */
export const POSTGRES: string = path.join('bin', 'postgres');

/** What is known of a build beside its files. */
export interface KnownOfBuild {
  readonly revision?: string;
  /** Compiler flags that it was built with, including the level of optimisation. */
  readonly optimisation?: string;
}

/**
 * What tells a build from every other: the checksums of postgres and its own libraries, and what they say
 * about how they were made.
 *
 * @param root directory with bin/postgres
 * @throws RunError when postgres does not run
 */
export async function takeFingerprint(
  root: string,
  known: KnownOfBuild = {},
): Promise<Fingerprint> {
  const binary = readBinaryText(fs.readFileSync(path.join(root, POSTGRES)));
  const told = await readPgConfig(root);
  const { configure, cflags } = binary;
  const found = {
    ...(configure === null ? {} : { configure }),
    ...(cflags === null ? {} : { cflags }),
  };
  return {
    ...checksums(root),
    versionText: binary.versionText,
    pgConfig: { ...found, ...told },
    revision: known.revision ?? null,
    debugAssertions: await hasAssertions(root),
    optimisation: known.optimisation ?? optimisationIn(binary),
  };
}

/**
 * SHA-256 of postgres and its libraries, and over all of them.
 *
 * @param known the checksum of a file that need not be read; null: read it
 */
export function checksums(
  root: string,
  known: (file: string) => string | null = () => null,
): Pick<Fingerprint, 'digest' | 'files'> {
  const files = [POSTGRES, ...ownLibraries(root)].map(
    (file) => [file, known(file) ?? sha256(root, file)] as const,
  );
  const digest = createHash('sha256');
  for (const [file, sum] of files) digest.update(`${file}\0${sum}\n`);
  return { digest: digest.digest('hex'), files: Object.fromEntries(files) };
}

/** Why a build is only for finding bugs, in words; empty for one that may be measured. */
export function debugReasons({
  debugAssertions,
  optimisation,
}: Pick<Fingerprint, 'debugAssertions' | 'optimisation'>): string[] {
  return [
    ...(debugAssertions ? ['its assertions are on (debug_assertions)'] : []),
    ...(optimisation === '-O0' ? ['it is compiled without optimisation (-O0)'] : []),
  ];
}

/** Folders of libraries in a build's root; the server's modules are in those named after PostgreSQL. */
const LIBRARY_FOLDERS = ['lib', 'lib64'].flatMap((lib) => [
  lib,
  path.join(lib, 'postgresql'),
  path.join(lib, 'pgsql'),
]);

/** Roots that other programs share: there, libraries that are not in a folder of PostgreSQL are not its own. */
const SHARED_ROOTS = new Set(['/', '/usr', '/usr/local']);

/** Shared libraries that belong to the build, sorted; links are left out, since what they name is there too. */
function ownLibraries(root: string): string[] {
  const isShared = SHARED_ROOTS.has(path.resolve(root));
  return LIBRARY_FOLDERS.filter((folder) => !(isShared && path.dirname(folder) === '.'))
    .flatMap((folder) =>
      readFiles(path.join(root, folder))
        .filter((name) => /\.(so|dylib)(\.|$)/.test(name) || /\.\d+\.dylib$/.test(name))
        .map((name) => path.join(folder, name)),
    )
    .sort();
}

function readFiles(directory: string): string[] {
  if (!fs.existsSync(directory)) return [];
  return fs
    .readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}

function sha256(root: string, file: string): string {
  return createHash('sha256')
    .update(fs.readFileSync(path.join(root, file)))
    .digest('hex');
}

/** pg_config's answers that do not depend on where the build lies; none where it has no such program. */
async function readPgConfig(root: string): Promise<Record<string, string>> {
  const program = path.join(root, 'bin', 'pg_config');
  if (!fs.existsSync(program)) return {};
  const { stdout, failed } = await execa(program, [], { ...quiet(), reject: false });
  if (failed) return {};
  const pairs = [...stdout.matchAll(/^(\w+) = (.*)$/gm)].map(
    ([, name, value]) => [(name as string).toLowerCase(), value as string] as const,
  );
  const isPlace = (name: string): boolean => name.endsWith('dir') || name === 'pgxs';
  return Object.fromEntries(pairs.filter(([name, value]) => !isPlace(name) && value !== ''));
}

/** Asks the binary. As the first argument, `-C` is allowed to root, and needs no more than a config file. */
async function hasAssertions(root: string): Promise<boolean> {
  return inTemporaryDirectory('ask', async (directory) => {
    fs.writeFileSync(path.join(directory, 'postgresql.conf'), '');
    const program = path.join(root, POSTGRES);
    const args = ['-C', 'debug_assertions', '-D', directory];
    const { stdout, failed, shortMessage, stderr } = await execa(program, args, {
      ...quiet(),
      reject: false,
    });
    if (!failed) return stdout.trim() === 'on';
    throw new RunError(`${program} does not run: ${stderr || shortMessage}`);
  });
}

function quiet() {
  return { env: plainEnvironment(), extendEnv: false, stdin: 'ignore' } as const;
}
