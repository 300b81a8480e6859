import { readFileSync } from 'node:fs';
import { CLK_TCK } from './proc-stat.ts';

/** One process in `/proc/<pid>/stat`; CPU in seconds since the process started. */
export interface ProcessStat {
  readonly pid: number;
  readonly ppid: number;
  /** Name of the executable, at most 15 characters, as the kernel has it. */
  readonly command: string;
  /** One letter: R, S, D, Z … */
  readonly state: string;
  readonly user: number;
  readonly system: number;
  /** CPU of children that ended and were waited for, and of theirs. */
  readonly childUser: number;
  readonly childSystem: number;
  /** Ticks from boot to its start: with the pid, this names one process for good. */
  readonly startTicks: number;
}

/** The kinds of resident memory in `/proc/<pid>/status`, in bytes. */
export interface ResidentBytes {
  readonly anon: number;
  readonly file: number;
  readonly shmem: number;
  /** Huge pages, which the kernel does not count as resident in the three above. */
  readonly huge: number;
}

/** Parses `/proc/<pid>/stat`. The command may hold blanks and parentheses, so it ends at the last `)`. */
export function parseProcessStat(text: string): ProcessStat {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  const [state, ...numbers] = text
    .slice(close + 1)
    .trim()
    .split(/\s+/);
  if (open < 0 || close < open || state === undefined || numbers.length < 19) {
    throw new Error(`/proc/<pid>/stat: expected "pid (command) state numbers…", got "${text}"`);
  }
  // numbers[0] is field 4 of proc(5), so that field n is numbers[n - 4].
  const field = (n: number): number => Number(numbers[n - 4]);
  return {
    pid: Number(text.slice(0, open)),
    command: text.slice(open + 1, close),
    state,
    ppid: field(4),
    user: field(14) / CLK_TCK,
    system: field(15) / CLK_TCK,
    childUser: field(16) / CLK_TCK,
    childSystem: field(17) / CLK_TCK,
    startTicks: field(22),
  };
}

/** Parses `/proc/<pid>/status`; null: the kernel is older than 4.5, or it is a kernel thread. */
export function parseResident(text: string): ResidentBytes | null {
  const kb = (name: string): number | null => {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text);
    return found === null ? null : Number(found[1]);
  };
  const [anon, file, shmem] = [kb('RssAnon'), kb('RssFile'), kb('RssShmem')];
  if (anon === null || file === null || shmem === null) return null;
  return {
    anon: anon * 1024,
    file: file * 1024,
    shmem: shmem * 1024,
    huge: (kb('HugetlbPages') ?? 0) * 1024,
  };
}

/** Parses `/proc/<pid>/schedstat`: seconds on a CPU; null: the kernel does not count them. */
export function parseRunTime(text: string): number | null {
  const [ns] = text.split(' ');
  return ns === undefined || ns === '0' ? null : Number(ns) / 1e9;
}

/** Reads `/proc/<pid>/schedstat`; null: no such process, or the kernel does not tell. */
export function readRunTime(pid: number, procRoot = '/proc'): number | null {
  const text = readIfAlive(`${procRoot}/${pid}/schedstat`);
  return text === null ? null : parseRunTime(text);
}

/** Reads `/proc/<pid>/stat`; null: there is no such process. */
export function readProcess(pid: number, procRoot = '/proc'): ProcessStat | null {
  const text = readIfAlive(`${procRoot}/${pid}/stat`);
  return text === null ? null : parseProcessStat(text);
}

/** Reads the memory of `/proc/<pid>/status`; null: no such process, or the kernel does not tell. */
export function readResident(pid: number, procRoot = '/proc'): ResidentBytes | null {
  const text = readIfAlive(`${procRoot}/${pid}/status`);
  return text === null ? null : parseResident(text);
}

function readIfAlive(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // ESRCH: it ended between opening and reading the file.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
}
