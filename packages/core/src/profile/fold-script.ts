import { type FoldedStacks, KERNEL_MARK } from './stacks.ts';
import type { ProfileWindow } from './window.ts';

/** The fields of `perf script -F` that ScriptFolder reads. */
export const SCRIPT_FIELDS = 'pid,time,ip,sym,dso';

/**
 * Folds the output of `perf script -F pid,time,ip,sym,dso`, line by line: a line with pid and time, the frames from
 * the innermost, an empty line. Samples from outside the window are left out. Only the distinct stacks are held.
 */
export class ScriptFolder {
  readonly #byPid = new Map<number, Map<string, number>>();
  readonly #window: ProfileWindow;
  #lastNs: number | null = null;
  #sample: { readonly pid: number; readonly ns: number } | null = null;
  #frames: string[] = [];

  constructor(window: ProfileWindow) {
    this.#window = window;
  }

  /** The latest of the samples within the window, ns; null: there are none. */
  get lastNs(): number | null {
    return this.#lastNs;
  }

  push(line: string): void {
    if (line.trim() === '') this.#endSample();
    else if (this.#sample === null) this.#sample = readHeader(line);
    else this.#frames.push(frameName(line));
  }

  /** Stacks by process, when all lines have been pushed. */
  end(): ReadonlyMap<number, FoldedStacks> {
    this.#endSample();
    return this.#byPid;
  }

  #endSample(): void {
    const sample = this.#sample;
    if (sample !== null && isWithin(this.#window, sample.ns)) {
      const { pid, ns } = sample;
      this.#lastNs = Math.max(ns, this.#lastNs ?? ns);
      // A sample without frames is time of which nothing else is known.
      const frames = withMain(this.#frames.reverse());
      const stack = frames.length === 0 ? '[no stack]' : frames.join(';');
      const stacks = this.#byPid.get(pid) ?? new Map<string, number>();
      this.#byPid.set(pid, stacks.set(stack, (stacks.get(stack) ?? 0) + 1));
    }
    this.#sample = null;
    this.#frames = [];
  }
}

/** `25017 16091.920239:`: pid, and seconds with six or nine decimals. */
function readHeader(line: string): { readonly pid: number; readonly ns: number } | null {
  const [, pid, seconds, decimals = ''] = /^\s*(\d+)\s+(\d+)\.(\d+):\s*$/.exec(line) ?? [];
  if (pid === undefined) return null;
  return { pid: Number(pid), ns: Number(seconds) * 1e9 + Number(decimals.padEnd(9, '0')) };
}

function isWithin({ fromNs, toNs }: ProfileWindow, ns: number): boolean {
  return ns >= fromNs && ns <= toNs;
}

/** What calls main in glibc: the first one before 2.34. */
const CALLERS_OF_MAIN = ['__libc_start_main', '__libc_start_call_main'];

/**
 * Frame pointers lead to where a call returns. Behind one that never does, as the last of Postgres's main, that is the
 * next function of the file, and perf names that one.
 */
function withMain(frames: readonly string[]): readonly string[] {
  const caller = frames.findLastIndex((frame) => CALLERS_OF_MAIN.includes(frame));
  if (caller === -1 || caller === frames.length - 1) return frames;
  return frames.with(caller + 1, 'main');
}

/**
 * `5d6f77 ExecInsert+0x1f (/usr/bin/postgres)` → `ExecInsert`; without a symbol the file stands for it. The version of
 * a library's symbol is left out: functions are compared between hosts.
 */
function frameName(line: string): string {
  const [, symbol = '', file = ''] = /^\s*[0-9a-f]+\s+(.*?)\s+\((.*)\)\s*$/.exec(line) ?? [];
  if (symbol === '' || symbol === '[unknown]') return `[${cleaned(baseName(file)) || 'unknown'}]`;
  const name = cleaned(symbol.replace(/\+0x[0-9a-f]+$/, '').replace(/@.*$/, ''));
  return isKernel(file) ? `${name}${KERNEL_MARK}` : name;
}

function baseName(file: string): string {
  const name = file.replace(/ \(deleted\)$/, '');
  return name.slice(name.lastIndexOf('/') + 1).replace(/^\[(.*)\]$/, '$1');
}

function isKernel(file: string): boolean {
  return (
    /^\[(kernel|guest\.kernel)|\.ko(\.\w+)?$|^\[\w+\]$/.test(file) &&
    !/^\[(vdso|stack|heap)/.test(file)
  );
}

/** `;` and line ends have a meaning in folded stacks. */
function cleaned(name: string): string {
  return name.replace(/[;\r\n]/g, ':');
}

/** Share of the samples whose stack goes back to the program's `main`; null without samples. */
export function shareFromMain(stacks: FoldedStacks): number | null {
  let all = 0;
  let whole = 0;
  for (const [stack, samples] of stacks) {
    all += samples;
    if (stack.split(';').includes('main')) whole += samples;
  }
  return all === 0 ? null : whole / all;
}
