import type { CpuTimes } from '@ibench/core';

/**
 * Ticks per second in `/proc`. USER_HZ is 100 on every architecture Linux supports today, whatever the
 * kernel's own HZ is (alpha and ia64, where it was 1024, have no Postgres to measure).
 */
export const CLK_TCK = 100;

/** `/proc/stat` at one instant. */
export interface ProcStat {
  readonly cpu: CpuTimes;
  /** Logical CPUs online. */
  readonly cpus: number;
  readonly contextSwitches: number;
  readonly interrupts: number | null;
  /** Processes running or ready to run, and blocked on I/O; null: kernel too old. */
  readonly running: number | null;
  readonly blocked: number | null;
}

/**
 * Parses `/proc/stat`. CPU times are seconds over all CPUs since boot; the guest columns are not read because their
 * time is inside user and nice. Throws when the lines `cpu` and `ctxt` are missing.
 */
export function parseProcStat(text: string): ProcStat {
  const lines = new Map<string, string>();
  let cpus = 0;
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    if (space < 0) continue;
    const name = line.slice(0, space);
    if (/^cpu\d+$/.test(name)) cpus += 1;
    else lines.set(name, line.slice(space + 1).trim());
  }
  const cpu = lines.get('cpu');
  const contextSwitches = firstNumber(lines.get('ctxt'));
  if (cpu === undefined || contextSwitches === null) {
    throw new Error('/proc/stat: expected the lines "cpu" and "ctxt"');
  }
  return {
    cpu: toCpuTimes(cpu),
    cpus,
    contextSwitches,
    // The first number is the total; thousands of single counters can follow.
    interrupts: firstNumber(lines.get('intr')),
    running: firstNumber(lines.get('procs_running')),
    blocked: firstNumber(lines.get('procs_blocked')),
  };
}

function toCpuTimes(line: string): CpuTimes {
  const ticks = line.split(/\s+/).map(Number);
  // iowait, irq and softirq came with Linux 2.6, steal with 2.6.11; before that the time is in the others.
  const seconds = (index: number): number => (ticks[index] ?? 0) / CLK_TCK;
  return {
    user: seconds(0),
    nice: seconds(1),
    system: seconds(2),
    idle: seconds(3),
    iowait: seconds(4),
    irq: seconds(5),
    softirq: seconds(6),
    steal: seconds(7),
  };
}

function firstNumber(line: string | undefined): number | null {
  if (line === undefined) return null;
  const value = Number.parseInt(line, 10);
  return Number.isNaN(value) ? null : value;
}
