import fs from 'node:fs';
import { endProcess, isRunning, processToken } from '@ibench/host';

/** A process that is the same one for as long as its token holds. */
export interface Seen {
  readonly pid: number;
  readonly token: string;
  readonly command: string;
}

/** The processes with these ids and all that descend from them, now. */
export function familyOf(roots: readonly number[]): Seen[] {
  const all = allProcesses();
  const family = new Set(roots);
  for (let before = 0; before < family.size; ) {
    before = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all
    .filter(({ pid }) => family.has(pid))
    .flatMap(({ pid, command }) => {
      const token = processToken(pid);
      return token === null ? [] : [{ pid, token, command }];
    });
}

/** A direct child whose command line has a word in it. */
export function childWith(parent: number, word: string): number | null {
  const found = allProcesses().find((one) => one.parent === parent && one.command.includes(word));
  return found?.pid ?? null;
}

export function stillRunning(seen: readonly Seen[]): Seen[] {
  return seen.filter(({ pid, token }) => isRunning(pid, token));
}

/** Ends what is left of a family, by id. */
export async function endAll(seen: readonly Seen[]): Promise<void> {
  for (const { pid, token } of seen) {
    await endProcess(pid, token, [{ signal: 'SIGKILL', waitMs: 5000 }]);
  }
}

function allProcesses(): { pid: number; parent: number; command: string }[] {
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((name) => {
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      const command = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ pid: Number(name), parent, command }];
    } catch {
      return [];
    }
  });
}
