import { createHash, type Hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { RunError } from '@ibench/core';
import { execa } from 'execa';
import type { Build } from '../builds/build.ts';
import { plainEnvironment } from '../process.ts';
import { openStateDirectory } from './system-state.ts';

/**
 * A copy of a build that every user can run and only root can change. It is named after its content and
 * made once: a copy that is there is used when it still has that content. Two runs may do this at once.
 *
 * @param state root's directory for this
 * @param say is told when a copy is made
 * @returns the copy's root
 */
export async function copyOfBuild(
  build: Build,
  state: string,
  say: (text: string) => void,
): Promise<string> {
  const builds = openStateDirectory(path.join(state, 'builds'));
  const digest = directoryDigest(build.root);
  const copy = path.join(builds, `${build.name}-${digest.slice(0, 16)}`);
  if (isIntact(copy, digest)) return copy;
  say(`copying the build to ${copy}`);
  // Closed until it is removed: what is unfinished in it can be run by nobody.
  const workshop = fs.mkdtempSync(path.join(builds, 'unfinished-'));
  try {
    const unfinished = path.join(workshop, 'build');
    fs.cpSync(build.root, unfinished, { recursive: true, verbatimSymlinks: true });
    await openToAll(unfinished);
    if (!isIntact(unfinished, digest)) throw new RunError(`${build.root} changed while copied`);
    publish(unfinished, copy, digest);
  } finally {
    fs.rmSync(workshop, { recursive: true, force: true });
  }
  return copy;
}

function publish(unfinished: string, copy: string, digest: string): void {
  if (isIntact(copy, digest)) return;
  if (fs.existsSync(copy)) fs.renameSync(copy, `${unfinished}.damaged`);
  try {
    fs.renameSync(unfinished, copy);
  } catch (error) {
    // Another run was faster.
    if (!isIntact(copy, digest)) throw error;
  }
}

function isIntact(directory: string, digest: string): boolean {
  return fs.existsSync(directory) && directoryDigest(directory) === digest;
}

/** SHA-256 over the names and contents of everything in a directory; owners and modes do not count. */
function directoryDigest(directory: string): string {
  const hash = createHash('sha256');
  addDirectory(hash, directory, '');
  return hash.digest('hex');
}

function addDirectory(hash: Hash, root: string, below: string): void {
  const entries = fs.readdirSync(path.join(root, below), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = path.join(below, entry.name);
    const file = path.join(root, name);
    if (entry.isDirectory()) {
      hash.update(`directory ${name}\0`);
      addDirectory(hash, root, name);
    } else if (entry.isSymbolicLink()) {
      hash.update(`link ${name}\0${fs.readlinkSync(file)}\0`);
    } else {
      const content = fs.readFileSync(file);
      hash.update(`file ${name}\0${content.length}\0`).update(content);
    }
  }
}

/**
 * Readable for all, executable where it was for its owner (a clone made with a strict umask is not),
 * writable for root alone, and without set-user-id bits, which would now mean root.
 */
async function openToAll(directory: string): Promise<void> {
  await execa('chmod', ['-R', 'a-s,go-w,a+rX', directory], {
    env: plainEnvironment(),
    extendEnv: false,
  });
}
