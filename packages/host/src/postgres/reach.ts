import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { RunError } from '@ibench/core';
import { execa } from 'execa';
import { plainEnvironment } from '../process.ts';
import type { Build } from './build.ts';
import type { ServerUser } from './server-user.ts';

/** Where root keeps what another user must reach when the clone is closed to that user. */
const SYSTEM_STATE = '/var/lib/ibench';

/**
 * A build whose binaries the server's user can run: itself, or a copy outside the clone.
 *
 * @param say is told when a copy is made
 */
export async function reachableBuild(
  build: Build,
  user: ServerUser | null,
  say: (text: string) => void,
): Promise<Build> {
  if (user === null || (await canRun(build.root, user))) return build;
  const root = path.join(SYSTEM_STATE, 'builds', build.sha256.slice(0, 16));
  if (!fs.existsSync(root)) {
    say(`user ${user.name} cannot reach ${build.root}: copying the build to ${root}`);
    const unfinished = `${root}.${process.pid}`;
    fs.mkdirSync(path.dirname(root), { recursive: true, mode: 0o755 });
    fs.cpSync(build.root, unfinished, { recursive: true, verbatimSymlinks: true });
    await openToAll(unfinished);
    fs.rmSync(root, { recursive: true, force: true });
    fs.renameSync(unfinished, root);
  }
  if (await canRun(root, user)) return { ...build, root };
  throw new RunError(
    `user ${user.name} can run neither ${build.root}/bin/postgres nor its copy in ${root}: open the path to that user, or name another with --server-user`,
  );
}

/**
 * A directory for the server's data that its user can enter, made and owned by that user: `wanted`, or
 * one outside where a directory above `wanted` is closed to it.
 */
export async function reachableDataDirectory(
  wanted: string,
  user: ServerUser | null,
  say: (text: string) => void,
): Promise<string> {
  makeOwned(wanted, user);
  if (user === null || (await canEnter(wanted, user))) return wanted;
  fs.rmdirSync(wanted);
  const outside = path.join(SYSTEM_STATE, 'data', path.basename(path.dirname(wanted)));
  say(`user ${user.name} cannot enter ${path.dirname(wanted)}: the server's data is in ${outside}`);
  makeOwned(outside, user);
  if (await canEnter(outside, user)) return outside;
  throw new RunError(
    `user ${user.name} can enter neither ${wanted} nor ${outside}: name a directory with --data-dir`,
  );
}

/** Makes a private directory with a short path (a socket's is limited to 107 bytes) for this user. */
export function makeSocketDirectory(user: ServerUser | null): string {
  const base = os.tmpdir().length <= 60 ? os.tmpdir() : '/tmp';
  const directory = fs.mkdtempSync(path.join(base, 'ibench-'));
  fs.chmodSync(directory, 0o700);
  if (user !== null) fs.chownSync(directory, user.uid, user.gid);
  return directory;
}

function makeOwned(directory: string, user: ServerUser | null): void {
  fs.mkdirSync(path.dirname(directory), { recursive: true });
  fs.mkdirSync(directory, { mode: 0o700 });
  if (user !== null) fs.chownSync(directory, user.uid, user.gid);
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

/** Readable for all, executable where it was for its owner: a clone made with a strict umask is not. */
async function openToAll(directory: string): Promise<void> {
  await execa('chmod', ['-R', 'a+rX', directory], { env: plainEnvironment(), extendEnv: false });
}
