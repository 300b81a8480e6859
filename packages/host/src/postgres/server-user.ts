import fs from 'node:fs';
import { RunError, UsageError } from '@ibench/core';

/** An operating system user that the server runs as. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Users tried in this order when the runner is root and none was named. */
const CANDIDATES = ['postgres', 'nobody'] as const;

/**
 * The unprivileged user for the server, since PostgreSQL refuses to run as root.
 *
 * @param wanted user named on the command line
 * @param passwd text of /etc/passwd
 * @param isRoot is this process root?
 * @returns null when this process is not root: the server runs as the same user
 * @throws UsageError for an unknown or privileged user, RunError when there is none
 */
export function serverUser(
  wanted: string | undefined,
  passwd: string = readPasswd(),
  isRoot: boolean = process.getuid?.() === 0,
): ServerUser | null {
  if (!isRoot) {
    if (wanted !== undefined) {
      throw new UsageError(`--server-user ${wanted}: only root can run the server as another user`);
    }
    return null;
  }
  const users = parsePasswd(passwd).filter((user) => user.uid !== 0);
  if (wanted !== undefined) {
    const user = users.find(({ name }) => name === wanted);
    if (user !== undefined) return user;
    throw new UsageError(
      `--server-user ${wanted}: expected an existing user other than root (PostgreSQL refuses to run as root)`,
    );
  }
  for (const candidate of CANDIDATES) {
    const user = users.find(({ name }) => name === candidate);
    if (user !== undefined) return user;
  }
  throw new RunError(
    `PostgreSQL refuses to run as root and there is neither a user ${CANDIDATES.join(' nor ')}: make one (\`useradd --system postgres\`), name one with --server-user, or run ibench as an ordinary user`,
  );
}

function readPasswd(): string {
  try {
    return fs.readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}

function parsePasswd(text: string): ServerUser[] {
  return [...text.matchAll(/^([^:#\n]+):[^:\n]*:(\d+):(\d+):/gm)].map(([, name, uid, gid]) => ({
    name: name as string,
    uid: Number(uid),
    gid: Number(gid),
  }));
}
