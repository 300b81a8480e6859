import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { RunError, UsageError } from '@ibench/core';
import { execa } from 'execa';
import { plainEnvironment } from '../process.ts';

/** A copy of the source of PostgreSQL, which nobody changes while it is compiled. */
export interface SourceTree {
  readonly directory: string;
  /** `18.4`, `19devel` */
  readonly version: string;
  /** A commit; `tree-…` with a checksum where there is none; with `-dirty-…` what is in no commit. */
  readonly revision: string;
  /** The same for a name: seven digits. */
  readonly shortRevision: string;
  readonly isDirty: boolean;
  readonly hasMeson: boolean;
}

/** What the user named. */
export interface SourceChoice {
  readonly source: string;
  /** Commit, tag or branch of a git repository; null: the tree as it is. */
  readonly ref: string | null;
}

/** Digits of a checksum in a revision. */
const DIGITS = 12;
const SHORT_DIGITS = 7;

/**
 * Copies the source that the user named: a commit of a git repository, its working tree with all changes, or
 * an unpacked archive.
 *
 * @param directory is made
 * @throws UsageError for what is no source of PostgreSQL, or no commit
 */
export async function copySource(choice: SourceChoice, directory: string): Promise<SourceTree> {
  const source = path.resolve(choice.source);
  if (!fs.existsSync(path.join(source, 'configure'))) {
    throw new UsageError(
      `--source ${choice.source}: there is no ${path.join(source, 'configure')}; expected the source of PostgreSQL, a git repository or an unpacked archive`,
    );
  }
  fs.mkdirSync(directory);
  if (await isTracked(source)) return copyRepository(source, choice.ref, directory);
  if (choice.ref !== null) {
    throw new UsageError(
      `--ref ${choice.ref}: ${source} is no git repository (or git is not installed); leave --ref out`,
    );
  }
  return copyArchive(source, directory);
}

/** An archive can have been unpacked in a repository of something else. */
async function isTracked(source: string): Promise<boolean> {
  const { failed, stderr } = await git(source, ['ls-files', '--error-unmatch', 'configure']);
  if (failed && /dubious ownership/.test(`${stderr}`)) throw new UsageError(`${stderr}`);
  return !failed;
}

async function copyRepository(
  source: string,
  ref: string | null,
  directory: string,
): Promise<SourceTree> {
  const found = await git(source, ['rev-parse', '--verify', `${ref ?? 'HEAD'}^{commit}`]);
  if (found.failed) {
    throw new UsageError(`--ref ${ref}: no such commit, tag or branch in ${source}`);
  }
  const commit = found.stdout;
  const isDirty = ref === null && (await say(source, ['status', '--porcelain', '--', '.'])) !== '';
  if (isDirty) {
    const listed = await say(source, LIST_FILES);
    const files = listed.split('\0').filter((file) => file !== '');
    for (const file of files) copyFile(source, directory, file);
  } else {
    await extract(source, commit, directory);
  }
  const shortRevision = commit.slice(0, SHORT_DIGITS);
  return {
    ...describeTree(directory),
    revision: isDirty ? `${commit}-dirty-${digestOf(directory)}` : commit,
    shortRevision: isDirty ? `${shortRevision}-dirty` : shortRevision,
    isDirty,
  };
}

/** Everything that is not ignored, as names that end in a zero byte. */
const LIST_FILES = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];

function copyFile(source: string, directory: string, file: string): void {
  const from = path.join(source, file);
  // Removed in the working tree, but not in the index.
  if (!fs.existsSync(from)) return;
  const to = path.join(directory, file);
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.cpSync(from, to, { preserveTimestamps: true });
}

async function extract(source: string, commit: string, directory: string): Promise<void> {
  const archive = `${directory}.tar`;
  await say(source, ['archive', '--format=tar', '-o', archive, commit]);
  const { failed, stderr } = await execa('tar', ['-xf', archive, '-C', directory], QUIET);
  if (failed) throw new RunError(`tar cannot unpack ${archive}: ${stderr}`);
  fs.rmSync(archive);
}

function copyArchive(source: string, directory: string): SourceTree {
  const products = ['config.status', 'src/Makefile.global'];
  const product = products.find((file) => fs.existsSync(path.join(source, file)));
  if (product !== undefined) {
    throw new UsageError(
      `--source ${source}: it was configured in place (there is a ${product}), and its products would be compiled in: run \`make distclean\` there, or unpack the archive again`,
    );
  }
  fs.cpSync(source, directory, { recursive: true, preserveTimestamps: true });
  const digest = digestOf(directory);
  return {
    ...describeTree(directory),
    revision: `tree-${digest}`,
    shortRevision: digest.slice(0, SHORT_DIGITS),
    isDirty: false,
  };
}

function describeTree(directory: string): Pick<SourceTree, 'directory' | 'version' | 'hasMeson'> {
  const configure = fs.readFileSync(path.join(directory, 'configure'), 'utf8');
  const version = /^PACKAGE_VERSION='([^']+)'/m.exec(configure)?.[1];
  if (version === undefined || !configure.includes("PACKAGE_NAME='PostgreSQL'")) {
    throw new UsageError('--source: its configure is not that of PostgreSQL');
  }
  return { directory, version, hasMeson: fs.existsSync(path.join(directory, 'meson.build')) };
}

/** A checksum over the names and contents of all files. */
function digestOf(directory: string): string {
  const hash = createHash('sha256');
  const files = fs.readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
  for (const file of files) {
    const place = path.join(directory, file);
    if (!fs.lstatSync(place).isFile()) continue;
    const content = fs.readFileSync(place);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, DIGITS);
}

const QUIET = { env: plainEnvironment(), extendEnv: false, reject: false } as const;

function git(source: string, args: readonly string[]) {
  return execa('git', ['-C', source, ...args], QUIET);
}

async function say(source: string, args: readonly string[]): Promise<string> {
  const { failed, stdout, stderr, shortMessage } = await git(source, args);
  if (failed) throw new RunError(`git ${args[0]} in ${source} failed: ${stderr || shortMessage}`);
  return stdout;
}
