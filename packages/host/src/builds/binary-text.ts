import { optimisationOf } from './optimisation.ts';

/** What a postgres binary says about how it was made, as far as it can be found. */
export interface BinaryText {
  /** What `select version()` answers. */
  readonly versionText: string | null;
  /** Options of configure; null: none are recorded, as in a build by meson. */
  readonly configure: string | null;
  /** Compiler flags. */
  readonly cflags: string | null;
}

/**
 * Finds the constants of src/common/config_info.c and version() in a binary. The packages from npm bring
 * no pg_config, and asking the server itself would take a data directory; a running server is asked too, and
 * its answers are kept with the run.
 */
export function readBinaryText(binary: Buffer): BinaryText {
  const text = binary.toString('latin1');
  const find = (pattern: RegExp) => pattern.exec(text)?.[1]?.trim() ?? null;
  return {
    versionText: find(/\0(PostgreSQL \d[^\0]{0,80} on [^\0]{0,300})\0/),
    configure: find(/\0([^\0]{0,4000}'--prefix=[^\0]{0,4000})\0/),
    cflags: find(/\0((?:-Wall -W|-fno-strict-aliasing -fwrapv)[^\0]{0,4000})\0/),
  };
}

/**
 * The optimisation level of a build: from its flags where configure made it, since then they are all there.
 * Of what meson was told, its file src/include/meson.build records only part (`plain` and `g` are left out), so
 * that without a level in the flags it is not known.
 */
export function optimisationIn({ configure, cflags }: BinaryText): string | null {
  if (cflags === null) return null;
  if (configure === null && !/(^|\s)-O/.test(cflags)) return null;
  return optimisationOf(cflags);
}
