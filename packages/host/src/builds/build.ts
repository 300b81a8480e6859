import { RunError } from '@ibench/core';
import { execa } from 'execa';
import { plainEnvironment } from '../process.ts';
import { debugReasons, POSTGRES } from './fingerprint.ts';
import type { Fingerprint } from './manifest.ts';

/** A DBMS binary: version and how it was compiled. */
export interface Build {
  /** `pg18.4`; with the fingerprint it is what a result is about. */
  readonly name: string;
  /** As the binary says: `18.4`. */
  readonly version: string;
  /** Directory with `bin`, `lib` and `share`. */
  readonly root: string;
  /** SHA-256 of the postgres binary. */
  readonly sha256: string;
  readonly fingerprint: Fingerprint;
  /** Where it comes from, in words. */
  readonly source: string;
  /** Assertions are on, or nothing is optimised: its numbers say little about what others run. */
  readonly isDebug: boolean;
  /** Why, in words. */
  readonly debugReasons: readonly string[];
}

/** A build from what is known of it. */
export function buildFrom(
  parts: Pick<Build, 'name' | 'version' | 'root' | 'source' | 'fingerprint'>,
): Build {
  const reasons = debugReasons(parts.fingerprint);
  return {
    ...parts,
    sha256: parts.fingerprint.files[POSTGRES] as string,
    isDebug: reasons.length > 0,
    debugReasons: reasons,
  };
}

/** What a run keeps about its build, beside what the running server says. */
export function describeBuild(build: Build): Map<string, string> {
  const { fingerprint, name, root, sha256, source } = build;
  const facts = new Map([
    ['name', name],
    ['root', root],
    ['source', source],
    ['sha256', sha256],
    ['fingerprint', fingerprint.digest],
    ['debug_build', build.debugReasons.join('; ') || 'no'],
  ]);
  if (fingerprint.revision !== null) facts.set('revision', fingerprint.revision);
  if (fingerprint.optimisation !== null) facts.set('optimisation', fingerprint.optimisation);
  return facts;
}

/** @throws RunError when the program does not say a version of PostgreSQL */
export async function readVersion(postgres: string): Promise<string> {
  const { stdout, stderr, failed, shortMessage } = await execa(postgres, ['--version'], {
    env: plainEnvironment(),
    extendEnv: false,
    reject: false,
  });
  const version = /\(PostgreSQL\) (\S+)/.exec(stdout ?? '')?.[1];
  if (failed || version === undefined) {
    throw new RunError(
      `${postgres} --version did not say a version: ${stderr || shortMessage || stdout}`,
    );
  }
  return version;
}
