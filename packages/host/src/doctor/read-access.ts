import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { runTool } from '../facts/index.ts';
import type { PathStep, ServerIdentity, UserIds } from './access.ts';

/** Who would run the server: this user, or `serverUser` when this is root. */
export async function readIdentity(serverUser: string | null): Promise<ServerIdentity> {
  const uid = process.getuid?.();
  if (uid === undefined) return { kind: 'unsupported' };
  if (uid !== 0) return { kind: 'self', uid };
  if (serverUser === null) return { kind: 'nobody' };
  return { kind: 'other', user: serverUser, ids: await readIds(serverUser) };
}

/** Every existing directory from the root down to `directory`, which need not exist itself. */
export async function readPathSteps(directory: string): Promise<readonly PathStep[]> {
  const paths: string[] = [];
  for (let path = resolve(directory); ; path = dirname(path)) {
    paths.unshift(path);
    if (dirname(path) === path) break;
  }
  const steps: PathStep[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => null);
    if (found === null) break;
    steps.push({ path, mode: found.mode, uid: found.uid, gid: found.gid });
  }
  return steps;
}

/** id(1) knows the users of every name service; the first of `id -G` is the user's own group. */
async function readIds(user: string): Promise<UserIds | null> {
  const [own, groups] = await Promise.all([
    runTool('id', ['-u', '--', user]),
    runTool('id', ['-G', '--', user]),
  ]);
  if (own.kind !== 'ended' || own.exitCode !== 0) return null;
  if (groups.kind !== 'ended' || groups.exitCode !== 0) return null;
  return { uid: Number(own.stdout), gids: groups.stdout.trim().split(' ').map(Number) };
}
