import { createHash } from 'node:crypto';
import type { SourceTree } from './source-tree.ts';

/** The flags that a build is compiled with unless the user says otherwise. */
export const DEFAULT_CFLAGS = '-O2 -fno-omit-frame-pointer';

/** What of the user's wishes makes another binary of the same source. */
export interface CompileFlags {
  readonly cflags: string;
  readonly options: readonly string[];
  /** null: the one that would be chosen anyway. */
  readonly system: string | null;
}

/**
 * How a compiled build is called without a name of its own: version and revision, `pg19devel-a1b2c3d`; with
 * other flags than the default ones four digits for them, `pg19devel-a1b2c3d-f3c2`.
 */
export function defaultBuildName(
  { version, shortRevision }: Pick<SourceTree, 'version' | 'shortRevision'>,
  { cflags, options, system }: CompileFlags,
): string {
  const plain = `pg${version}-${shortRevision}`;
  if (cflags === DEFAULT_CFLAGS && options.length === 0 && system === null) return plain;
  const flags = createHash('sha256').update(JSON.stringify([cflags, options, system]));
  return `${plain}-${flags.digest('hex').slice(0, 4)}`;
}
