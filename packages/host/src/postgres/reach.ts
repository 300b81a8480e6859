import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { RunError } from '@ibench/core';
import { execa } from 'execa';
import type { Build } from '../builds/build.ts';
import { makeFolder } from '../folders.ts';
import { plainEnvironment } from '../process.ts';
import { copyOfBuild } from './build-copy.ts';
import type { ServerUser } from './server-user.ts';
import { openStateDirectory, SYSTEM_STATE } from './system-state.ts';

/**
 * A build whose binaries the server's user can run: itself, or a copy outside the clone.
 *
 * @param say is told when a copy is made
 * @param state root's directory for copies
 */
export async function reachableBuild(
  build: Build,
  user: ServerUser | null,
  say: (text: string) => void,
  state: string = SYSTEM_STATE,
): Promise<Build> {
  if (user === null || (await canRun(build.root, user))) return build;
  const root = await copyOfBuild(build, state, (text) =>
    say(`user ${user.name} cannot run what is in ${build.root}: ${text}`),
  );
  if (await canRun(root, user)) return { ...build, root };
  throw new RunError(
    `user ${user.name} can run neither ${build.root}/bin/postgres nor its copy in ${root}: open the path to that user, or name another with --server-user`,
  );
}

/** Where a run wants its server's data. */
export interface DataPlace {
  readonly wanted: string;
  /** The run's folder. Data that is wanted in it may be elsewhere; a place that was named may not. */
  readonly runDirectory: string;
}

/**
 * Makes a directory for the server's data that its user owns and can enter: the wanted one, or one in
 * root's directory where something above the run's folder is closed to that user.
 *
 * @throws RunError when it exists already, or cannot be made or entered
 * @throws UsageError when one above it is no folder, or cannot be made
 */
export async function reachableDataDirectory(
  { wanted, runDirectory }: DataPlace,
  user: ServerUser | null,
  say: (text: string) => void,
  state: string = SYSTEM_STATE,
): Promise<string> {
  makeOwned(wanted, user);
  if (user === null || (await canEnter(wanted, user))) return wanted;
  fs.rmdirSync(wanted);
  const closed = await firstClosed(wanted, user);
  if (path.dirname(wanted) !== runDirectory) {
    throw new RunError(
      `user ${user.name}, who runs the server, cannot enter ${closed}: open it (chmod o+x), or name another place for the data with --data-dir`,
    );
  }
  const data = openStateDirectory(path.join(state, 'data'));
  const outside = path.join(data, path.basename(runDirectory));
  say(`user ${user.name} cannot enter ${closed}: the server's data is in ${outside}`);
  makeOwned(outside, user);
  return outside;
}

/** The longest base that leaves room in a socket's address (107 bytes) for `/ibench-XXXXXX/.s.PGSQL.12345`. */
const MAX_BASE = 70;

/**
 * Makes a private directory for the server's socket. Its path is short and plain, since in some places
 * that it is given to a comma or a quote would need to be escaped and in others could not be.
 */
export async function makeSocketDirectory(user: ServerUser | null): Promise<string> {
  const bases = socketBases();
  for (const base of bases.filter((b) => /^\/[\w./+-]*$/.test(b) && b.length <= MAX_BASE)) {
    const directory = makePrivate(base, user);
    if (directory === null) continue;
    if (user === null || (await canEnter(directory, user))) return directory;
    fs.rmdirSync(directory);
  }
  throw new RunError(
    `the server's socket needs a directory with a short, plain path, and none can be made in ${bases.join(', ')}: set TMPDIR to such a directory`,
  );
}

/** Where sockets may be, in the order in which they are tried. */
export function socketBases(): string[] {
  return [...new Set([os.tmpdir(), '/tmp', '/var/tmp'])];
}

function makePrivate(base: string, user: ServerUser | null): string | null {
  try {
    const directory = fs.mkdtempSync(path.join(base, 'ibench-'));
    fs.chmodSync(directory, 0o700);
    giveTo(directory, user);
    return directory;
  } catch {
    return null;
  }
}

function makeOwned(directory: string, user: ServerUser | null): void {
  makeFolder('--data-dir', path.dirname(directory));
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
    fs.chmodSync(directory, 0o700);
    giveTo(directory, user);
  } catch (cause) {
    const why = fs.existsSync(directory)
      ? 'is there already, and a run removes its data at the end'
      : `cannot be made: ${(cause as Error).message}`;
    throw new RunError(
      `the data directory ${directory} ${why}; name one that does not exist with --data-dir`,
      { cause },
    );
  }
}

/** Of the link itself, should someone have put one in the directory's place. */
function giveTo(directory: string, user: ServerUser | null): void {
  if (user !== null) fs.lchownSync(directory, user.uid, user.gid);
}

async function firstClosed(directory: string, user: ServerUser): Promise<string> {
  const parents: string[] = [];
  for (let level = path.dirname(directory); parents[0] !== level; level = path.dirname(level)) {
    parents.unshift(level);
  }
  for (const parent of parents) {
    if (!(await succeeds('/bin/sh', ['-c', 'cd "$0"', parent], user))) return parent;
  }
  return directory;
}

async function canRun(root: string, user: ServerUser): Promise<boolean> {
  return succeeds(path.join(root, 'bin', 'postgres'), ['--version'], user);
}

async function canEnter(directory: string, user: ServerUser): Promise<boolean> {
  return succeeds('/bin/sh', ['-c', 'cd "$0" && test -w .', directory], user);
}

async function succeeds(file: string, args: readonly string[], user: ServerUser): Promise<boolean> {
  const { failed } = await execa(file, args, {
    uid: user.uid,
    gid: user.gid,
    cwd: '/',
    env: plainEnvironment(),
    extendEnv: false,
    reject: false,
  });
  return !failed;
}
