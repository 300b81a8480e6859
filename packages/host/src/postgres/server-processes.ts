import fs from 'node:fs';
import path from 'node:path';
import { endProcess, processToken } from '../process.ts';

/** A process of a server, found by where it works. */
export interface ServerProcessId {
  readonly pid: number;
  /** See processToken. */
  readonly token: string;
  /** The postmaster, which ends the others in order. */
  readonly isMain: boolean;
}

/** Signals in turn, with the wait after each. */
export type Ladder = readonly { readonly signal: NodeJS.Signals; readonly waitMs: number }[];

/** What works in a data directory: the server, and what makes the data, be it all of the tools in one file. */
const PROGRAMS = ['postgres', 'initdb', 'cp', 'coreutils', 'busybox'];

/**
 * The processes of the server (or initdb) of a data directory, found by what they are: the postmaster by
 * its arguments, the others as its children or by the directory they work in (which root may not see in a
 * container). A pid noted somewhere can be someone else's by now; these cannot.
 */
export function findServerProcesses(dataDirectory: string): ServerProcessId[] {
  const directory = realPath(dataDirectory);
  const pids = fs.readdirSync('/proc').map(Number).filter(Number.isInteger);
  const mains = pids.filter((pid) => isMainOf(pid, dataDirectory));
  return pids.flatMap((pid) => {
    const isMain = mains.includes(pid);
    if (!isMain && !mains.includes(parentOf(pid)) && !worksIn(pid, directory)) return [];
    const token = processToken(pid);
    return token === null ? [] : [{ pid, token, isMain }];
  });
}

/**
 * Ends a server: the postmaster first, then whatever it did not take with it.
 *
 * @param hurry see endProcess
 * @returns true when none of its processes is left
 */
export async function endServerProcesses(
  dataDirectory: string,
  ladder: Ladder,
  hurry?: AbortSignal,
): Promise<boolean> {
  const before = findServerProcesses(dataDirectory);
  for (const { pid, token, isMain } of before) {
    if (isMain) await endProcess(pid, token, ladder, hurry);
  }
  for (const { pid, token } of [...before, ...findServerProcesses(dataDirectory)]) {
    await endProcess(pid, token, ORPHAN_LADDER);
  }
  return findServerProcesses(dataDirectory).length === 0;
}

/** Without a postmaster they notice it by themselves once they are idle. */
const ORPHAN_LADDER: Ladder = [
  { signal: 'SIGTERM', waitMs: 2_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

/** Only the postmaster keeps its arguments; the others write what they do in their place. */
function isMainOf(pid: number, dataDirectory: string): boolean {
  try {
    const args = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const isPostgres = path.basename(args[0] as string) === 'postgres';
    return isPostgres && args[1] === '-D' && args[2] === dataDirectory;
  } catch {
    return false;
  }
}

function parentOf(pid: number): number {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return -1;
  }
}

function worksIn(pid: number, directory: string): boolean {
  return link(pid, 'cwd') === directory && PROGRAMS.includes(path.basename(link(pid, 'exe') ?? ''));
}

/** Where a link of /proc leads; of what was removed, where it was. null: not ours to see, or gone. */
function link(pid: number, name: 'cwd' | 'exe'): string | null {
  try {
    return fs.readlinkSync(`/proc/${pid}/${name}`).replace(/ \(deleted\)$/, '');
  } catch {
    return null;
  }
}

function realPath(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}
