import { readdirSync } from 'node:fs';
import { type CpuSeconds, RunError } from '@ibench/core';
import { type ProcessStat, type ResidentBytes, readProcess, readResident } from './proc-process.ts';

/** CPU that a server used since its postmaster started. */
export interface ServerCpu {
  /**
   * All processes, those that have ended included: the difference of two totals is what the server used in between.
   */
  readonly total: CpuSeconds;
  /** Each living process by pid, without its children. */
  readonly byPid: ReadonlyMap<number, CpuSeconds>;
}

/** The process and its direct children that exist now; empty: no such process. */
export function readProcessTree(rootPid: number): ProcessStat[] {
  const root = readProcess(rootPid);
  return root === null ? [] : [root, ...readChildren(rootPid)];
}

/**
 * CPU seconds of a Postgres server, whose processes are all children of the postmaster. A living process counts with
 * its own time and that of the children it has waited for, among which are the postmaster's backends that ended.
 * Throws RunError when the postmaster is gone.
 */
export function readServerCpu(postmasterPid: number): ServerCpu {
  return addCpu(readStableTree(postmasterPid));
}

/** CPU seconds of the processes of a server, read while none of them ended. */
export function addCpu(processes: readonly ProcessStat[]): ServerCpu {
  let user = 0;
  let system = 0;
  for (const one of processes) {
    user += one.user + one.childUser;
    system += one.system + one.childSystem;
  }
  const byPid = new Map(
    processes.map((one) => [one.pid, { user: one.user, system: one.system }] as const),
  );
  return { total: { user, system }, byPid };
}

/** Resident memory of a Postgres server in bytes; null: the postmaster is gone, or the kernel is older than 4.5. */
export function residentBytes(postmasterPid: number): number | null {
  return addResident(
    readProcessTree(postmasterPid)
      .map((one) => readResident(one.pid))
      .filter((resident) => resident !== null),
  );
}

/**
 * Memory of processes that share some of it; null for none.
 *
 * Private memory (RssAnon) is added up. Shared memory and the executable's file pages are the same pages in every
 * process, so they count once, as what the process that touched most of them has: adding them up, as summing the
 * RSS column of ps does, would count shared_buffers once per backend. Huge pages, where shared_buffers lie with
 * huge_pages = on, are not part of RSS and count the same way.
 */
export function addResident(parts: readonly ResidentBytes[]): number | null {
  if (parts.length === 0) return null;
  const anon = parts.reduce((sum, part) => sum + part.anon, 0);
  const largest = (kind: 'file' | 'shmem' | 'huge'): number =>
    Math.max(...parts.map((part) => part[kind]));
  return anon + largest('shmem') + largest('file') + largest('huge');
}

/**
 * A child that ends while the others are read would be counted twice or not at all; it shows as growth of
 * the postmaster's children time, and then everything is read again.
 */
function readStableTree(postmasterPid: number): ProcessStat[] {
  const attempts = 5;
  for (let attempt = 1; ; attempt += 1) {
    const before = readProcess(postmasterPid);
    const children = readChildren(postmasterPid);
    const after = readProcess(postmasterPid);
    if (before === null || after === null) throw postmasterGone(postmasterPid);
    if (isStable(before, after) || attempt === attempts) return [after, ...children];
  }
}

/** Did no child of the postmaster end between these two readings of it? */
export function isStable(before: ProcessStat, after: ProcessStat): boolean {
  return before.childUser === after.childUser && before.childSystem === after.childSystem;
}

export function postmasterGone(pid: number): RunError {
  return new RunError(
    `Cannot read the CPU time of the server: its postmaster, pid ${pid}, is not running, or hidden from this user (hidepid). See the server's log.`,
  );
}

function readChildren(parentPid: number): ProcessStat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((one) => one !== null)
    .filter((one) => one.ppid === parentPid);
}
