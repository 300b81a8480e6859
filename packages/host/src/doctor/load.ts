import type { ProcessStat } from '../sampler/proc-process.ts';
import { bad, type DoctorFinding, ok, unknown, warn } from './finding.ts';

/** Load that an idle machine with a shell and this program shows anyway. */
const IDLE_LOAD = 0.5;
const LOAD_PER_CPU = 0.1;

/** First number of /proc/loadavg: processes running or waiting for a disk, averaged over a minute. */
export function parseLoad(loadavg: string | null): number | null {
  const first = /^(\d+\.\d+) /.exec(loadavg ?? '')?.[1];
  return first === undefined ? null : Number(first);
}

/** Load average of one minute against the number of logical CPUs. */
export function judgeLoad(load: number | null, cpus: number | null): DoctorFinding {
  const check = 'load';
  if (load === null || cpus === null) return unknown(check, 'no load average, or no CPU count');
  const found = `load average ${load.toFixed(2)} on ${cpus} CPUs`;
  if (load <= Math.max(IDLE_LOAD, LOAD_PER_CPU * cpus)) return ok(check, found);
  return warn(
    check,
    `${found}: something else is running`,
    'Find it with top and stop it, or wait a minute if it has just ended.',
  );
}

const SERVERS: readonly string[] = ['postgres', 'postmaster', 'mysqld', 'mariadbd'];

/** What is needed of a process to tell servers from their backends. */
export type ServerProcess = Pick<ProcessStat, 'pid' | 'ppid' | 'command'>;

/** Database servers among all processes of the host; null: they cannot be listed. */
export function judgeOtherServers(processes: readonly ServerProcess[] | null): DoctorFinding {
  const check = 'other servers';
  if (processes === null)
    return unknown(check, 'there is no /proc, or it hides the processes of other users');
  const servers = otherServers(processes);
  if (servers.length === 0) return ok(check, 'none running');
  return warn(
    check,
    `${servers.join(', ')}: takes CPU, memory and disk from the server under test`,
    'Stop it for the time of the benchmark, e.g. sudo systemctl stop postgresql.',
  );
}

/** Database servers among processes: `postgres (pid 42)`. */
export function otherServers(processes: readonly ServerProcess[]): string[] {
  const all = processes.filter((process) => SERVERS.includes(process.command));
  const pids = new Set(all.map((process) => process.pid));
  // Backends are children of their server and no servers of their own.
  return all
    .filter((process) => !pids.has(process.ppid))
    .map((server) => `${server.command} (pid ${server.pid})`);
}

/** Postgres asks for 1000 files per backend; below that it opens and closes files all the time. */
const FILES_NEEDED = 1024;
const FILES_WANTED = 4096;

/** Soft limit of open files from /proc/<pid>/limits; Infinity where there is none; null: not said. */
export function parseOpenFiles(limits: string | null): number | null {
  const soft = /^Max open files +(\d+|unlimited)/m.exec(limits ?? '')?.[1];
  if (soft === undefined) return null;
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}

/** The limit that the server inherits. */
export function judgeOpenFiles(limit: number | null): DoctorFinding {
  const check = 'open files';
  if (limit === null) return unknown(check, 'no /proc/self/limits');
  const found = limit === Number.POSITIVE_INFINITY ? 'unlimited' : `${limit} per process`;
  const advice =
    'ulimit -n 65536 in the shell that starts ibench, or nofile in /etc/security/limits.conf.';
  if (limit < FILES_NEEDED) return bad(check, found, advice);
  if (limit < FILES_WANTED) return warn(check, found, advice);
  return ok(check, found);
}
