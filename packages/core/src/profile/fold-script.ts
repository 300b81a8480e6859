import { type FoldedStacks, KERNEL_MARK } from './stacks.ts';

/** The fields of `perf script -F` that ScriptFolder reads. */
export const SCRIPT_FIELDS = 'pid,ip,sym,dso';

/**
 * Folds the output of `perf script -F pid,ip,sym,dso`, line by line: a line with the pid, its frames from the
 * innermost, an empty line. Only the distinct stacks are held.
 */
export class ScriptFolder {
  readonly #byPid = new Map<number, Map<string, number>>();
  #pid: number | null = null;
  #frames: string[] = [];

  push(line: string): void {
    const header = /^\s*(\d+)\s*$/.exec(line);
    if (line.trim() === '') this.#endSample();
    else if (this.#pid === null && header !== null) this.#pid = Number(header[1]);
    else if (this.#pid !== null) this.#frames.push(frameName(line));
  }

  /** Stacks by process, when all lines have been pushed. */
  end(): ReadonlyMap<number, FoldedStacks> {
    this.#endSample();
    return this.#byPid;
  }

  #endSample(): void {
    const pid = this.#pid;
    if (pid !== null) {
      // A sample without frames is time of which nothing else is known.
      const frames = withMain(this.#frames.reverse());
      const stack = frames.length === 0 ? '[no stack]' : frames.join(';');
      const stacks = this.#byPid.get(pid) ?? new Map<string, number>();
      this.#byPid.set(pid, stacks.set(stack, (stacks.get(stack) ?? 0) + 1));
    }
    this.#pid = null;
    this.#frames = [];
  }
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
