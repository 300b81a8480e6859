import { bad, type DoctorFinding, ok, unknown } from './finding.ts';

/** Who the server will run as. */
export type ServerIdentity =
  /** Not root: the server runs as this process does. */
  | { readonly kind: 'self'; readonly uid: number }
  /** Root, and the user it hands the server to; ids are null where the system does not know that name. */
  | { readonly kind: 'other'; readonly user: string; readonly ids: UserIds | null }
  /** Root, and no user to hand it to. */
  | { readonly kind: 'nobody' }
  /** This platform has no user ids. */
  | { readonly kind: 'unsupported' };

/** Numeric ids of a user with all its groups. */
export interface UserIds {
  readonly uid: number;
  readonly gids: readonly number[];
}

/** A directory on the way to the data directory, and the data directory itself. */
export interface PathStep {
  readonly path: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** Is there a user to run the server? Postgres refuses to run as root. */
export function judgeServerUser(identity: ServerIdentity): DoctorFinding {
  const check = 'server user';
  switch (identity.kind) {
    case 'self':
      return ok(check, `the server runs as this user (uid ${identity.uid})`);
    case 'other':
      if (identity.ids !== null) return ok(check, `${identity.user} (uid ${identity.ids.uid})`);
      return bad(
        check,
        `${identity.user}: no such user`,
        `sudo useradd --system ${identity.user}, or name another user.`,
      );
    case 'nobody':
      return bad(
        check,
        'this is root, Postgres refuses to run as root, and there is no other user for it',
        'sudo useradd --system postgres, or start ibench as an ordinary user.',
      );
    case 'unsupported':
      return unknown(check, 'this platform has no user ids');
    default: {
      const never: never = identity;
      return never;
    }
  }
}

/** Can the server's user enter every directory on the way? Mode bits only; access control lists are not read. */
export function judgePath(steps: readonly PathStep[], identity: ServerIdentity): DoctorFinding {
  const check = 'directory access';
  if (identity.kind === 'self') return ok(check, 'the server runs as this user');
  if (identity.kind !== 'other' || identity.ids === null) {
    return unknown(check, 'the user that would run the server is not known');
  }
  const { user, ids } = identity;
  const closed = steps.find((step) => !mayEnter(step, ids));
  if (closed === undefined) return ok(check, `${user} can enter it`);
  const mode = (closed.mode & 0o7777).toString(8).padStart(4, '0');
  return bad(
    check,
    `${user} cannot enter ${closed.path} (mode ${mode})`,
    `sudo chmod o+x ${closed.path}, or choose a directory elsewhere, e.g. below /var/lib.`,
  );
}

/** The kernel takes the first class that fits, owner, group, others, and only its bits. */
function mayEnter(step: PathStep, ids: UserIds): boolean {
  if (step.uid === ids.uid) return (step.mode & 0o100) !== 0;
  if (ids.gids.includes(step.gid)) return (step.mode & 0o010) !== 0;
  return (step.mode & 0o001) !== 0;
}
