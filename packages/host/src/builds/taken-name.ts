import { EMBEDDED } from './builds-directory.ts';

/** What a name stands for. */
export interface NamedBuild {
  /** Where the build comes from, in words. */
  readonly source: string;
  /** See Fingerprint. */
  readonly digest: string;
}

/** Words on a name that stands for other files already. In tables and the store a build is its name. */
export function nameTaken(name: string, by: string): string {
  const other =
    by === EMBEDDED
      ? 'the build that comes with ibench'
      : `another build (${by}; ibench builds remove ${name} forgets it)`;
  return `the name ${name} is taken by ${other}, which has other files: register this one under a name of its own (ibench builds add, install or compile with --name)`;
}
