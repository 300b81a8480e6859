import fs from 'node:fs';
import path from 'node:path';
import { RunError } from '@ibench/core';
import { z } from 'zod';
import { MANIFEST_FILE } from './builds-directory.ts';

const npmSource = z.strictObject({
  kind: z.literal('npm'),
  package: z.string(),
  /** As npm counts: `17.9.0-beta.17`. */
  version: z.string(),
  /** From npm's lock file. */
  integrity: z.string(),
});

const directorySource = z.strictObject({ kind: z.literal('directory') });

const compiledSource = z.strictObject({
  kind: z.literal('compiled'),
  /** The source directory that was named. */
  source: z.string(),
  /** What --ref named; null: the tree as it was. */
  ref: z.string().nullable(),
  system: z.enum(['configure', 'meson']),
  cflags: z.string(),
  /** Further options of configure, or of meson setup. */
  options: z.array(z.string()),
  /** What meson recorded (intro-buildoptions.json); null: built by configure. */
  mesonOptions: z.record(z.string(), z.string()).nullable(),
  /** SHA-256 over everything that decides the outcome: the same key is not compiled again. */
  cacheKey: z.string(),
  /** What the compiler and its like have printed. */
  log: z.string(),
  seconds: z.number(),
});

const fingerprint = z.strictObject({
  /** SHA-256 over the names and checksums of the files below: two builds with the same one are the same. */
  digest: z.string(),
  /** SHA-256 of each file, by its path below the build's root: postgres and its own libraries. */
  files: z.record(z.string(), z.string()),
  /** What `select version()` says. */
  versionText: z.string().nullable(),
  /** What pg_config says, by its names in lower case, apart from directories. */
  pgConfig: z.record(z.string(), z.string()),
  /** Commit, or checksum of an unpacked tree; null: not known. `-dirty` marks changes that are in no commit. */
  revision: z.string().nullable(),
  debugAssertions: z.boolean(),
  /** `-O2`; null: neither the binary nor a record says. */
  optimisation: z.string().nullable(),
});

const manifest = z.strictObject({
  format: z.literal(1),
  name: z.string(),
  version: z.string(),
  /** Directory with bin/postgres; relative ones are below the manifest's. */
  root: z.string(),
  registeredAt: z.string(),
  source: z.discriminatedUnion('kind', [npmSource, directorySource, compiledSource]),
  fingerprint,
});

export type NpmSource = z.infer<typeof npmSource>;
export type CompiledSource = z.infer<typeof compiledSource>;
export type Fingerprint = z.infer<typeof fingerprint>;
/** What is known of a registered build: build.json in its folder. */
export type Manifest = z.infer<typeof manifest>;

/** Writes the manifest of a build whose folder nobody uses yet. */
export function writeManifest(folder: string, content: Manifest): void {
  fs.writeFileSync(path.join(folder, MANIFEST_FILE), `${JSON.stringify(content, null, 2)}\n`);
}

/**
 * Reads the manifest in a build's folder.
 *
 * @returns null where there is none
 * @throws RunError when it is not one that this version wrote
 */
export function readManifest(folder: string): Manifest | null {
  const file = path.join(folder, MANIFEST_FILE);
  if (!fs.existsSync(file)) return null;
  try {
    return manifest.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new RunError(
      `${file} cannot be read: ${reason(cause)}; remove the folder ${folder} and register the build again`,
      { cause },
    );
  }
}

function reason(error: unknown): string {
  return error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
}
