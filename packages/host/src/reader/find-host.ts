import fs from 'node:fs';
import os from 'node:os';
import { RunError } from '@ibench/core';
import { type Admin, run } from '../postgres/admin.ts';
import type { ServerAccess } from '../postgres/connection-string.ts';
import { RemoteShell } from '../remote/remote-shell.ts';
import { readLocalFiles } from '../sampler/files.ts';
import { type BackendSeen, findPostmaster } from './find-postmaster.ts';
import { ABSENT_READER, type HostReader } from './host-reader.ts';
import { localReader } from './local-reader.ts';
import { sshReader } from './ssh-reader.ts';

/** Where a server runs, and how that machine is read. */
export interface FoundHost {
  readonly reader: HostReader;
  /** The server's main process, where it runs on this host. */
  readonly postmaster: number | null;
}

export interface HostOptions {
  readonly access: ServerAccess;
  readonly ssh: string | null;
  readonly say: (text: string) => void;
}

/**
 * Finds out how the host of a server that is not ours can be read: over ssh where that is asked for, else
 * directly where the server turns out to run on this host, else not at all.
 *
 * @throws RunError when the server does not run on the host that was named for ssh, HostUnreachable when
 *   that does not answer
 */
export async function findHost(
  admin: Admin,
  { access, ssh, say }: HostOptions,
): Promise<FoundHost> {
  const [row] = await run(
    admin,
    `select pid, extract(epoch from backend_start)::float8 as started_at,
       host(inet_server_addr()) as address,
       (select setting from pg_settings where name = 'data_directory') as data_directory
     from pg_stat_activity where pid = pg_backend_pid()`,
    'asking where the server is',
  );
  const server: SeenServer = {
    backend: { pid: row?.pid as number, startedAt: row?.started_at as number },
    dataDirectory: (row?.data_directory ?? null) as string | null,
  };
  if (ssh !== null)
    return { reader: await findRemote(new RemoteShell(ssh), server), postmaster: null };
  const found = isOwnAddress(row?.address ?? null) ? await findLocal(server) : null;
  if (found !== null) return found;
  say(
    `the server (${access.host}) does not run on this host, or not where its processes can be seen: its CPU, memory and disks are not measured; --server-ssh HOST has them read over ssh`,
  );
  return { reader: ABSENT_READER, postmaster: null };
}

/** What the server tells of itself; null: not to this user. */
interface SeenServer {
  readonly backend: BackendSeen;
  readonly dataDirectory: string | null;
}

async function findLocal({ backend, dataDirectory }: SeenServer): Promise<FoundHost | null> {
  const postmaster = await findPostmaster(readLocalFiles, backend);
  if (postmaster === null) return null;
  const postmasterPid = postmaster.pid;
  const reader = localReader({
    postmasterPid,
    dataDirectory: dataDirectory ?? readLink(workingDirectory(postmasterPid)),
  });
  return { reader, postmaster: postmasterPid };
}

async function findRemote(
  shell: RemoteShell,
  { backend, dataDirectory }: SeenServer,
): Promise<HostReader> {
  try {
    const postmaster = await findPostmaster((paths) => shell.readFiles(paths), backend);
    if (postmaster === null) {
      throw new RunError(
        `--server-ssh ${shell.host}: the server does not run on that host, or its processes cannot be seen there (its backend has pid ${backend.pid})`,
      );
    }
    const [link] = await shell.run([`readlink ${workingDirectory(postmaster.pid)}`]);
    return sshReader(shell, {
      postmasterPid: postmaster.pid,
      dataDirectory: dataDirectory ?? (link?.text.trimEnd() || null),
    });
  } catch (error) {
    await shell.close();
    throw error;
  }
}

/** A server works in its data directory; who may look at it is up to the kernel. */
function workingDirectory(postmasterPid: number): string {
  return `/proc/${postmasterPid}/cwd`;
}

function readLink(link: string): string | null {
  try {
    return fs.readlinkSync(link);
  } catch {
    return null;
  }
}

/** @param address of the server's end of the connection; null: a Unix socket */
function isOwnAddress(address: string | null): boolean {
  const own = Object.values(os.networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return address === null || own.some((one) => one.address === address);
}
