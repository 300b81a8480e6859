import { osRates } from '../metrics/os-rates.ts';
import type { CpuSplit } from '../result.ts';
import type { OsCounters } from '../sample.ts';
import type { Audit, AuditName, AuditVerdict } from './audit.ts';

/** Shares of the whole machine's CPU, %, above which a step is invalid. */
export interface CpuBounds {
  readonly maxForeignCpuPct: number;
  readonly maxStealPct: number;
}

/** From here on they are worth a word, %. */
const FOREIGN_WARNED_PCT = 5;
const STEAL_WARNED_PCT = 1;

/**
 * A shorter step is not called invalid: the kernel charges CPU in ticks of 10 ms, of each process apart,
 * and a single job of the host's is a large share of a second.
 */
const JUDGED_SECONDS = 5;

/** What is known of the machine over a step. */
export interface MachineCpu {
  readonly osBefore: OsCounters | null;
  readonly osAfter: OsCounters | null;
  readonly cpuSplit: CpuSplit | null;
}

/**
 * CPU that was neither the server's nor the load generator's, and time that the hypervisor took: both
 * from the counters at the borders of the step. None where they were not read.
 */
export function cpuAudits(machine: MachineCpu, bounds: CpuBounds): Audit[] {
  const { osBefore, osAfter, cpuSplit } = machine;
  const { intervalS, cpus, cpups, steal_pct } = osRates(osBefore, osAfter);
  if (intervalS === null || cpus === null || intervalS <= 0) return [];
  const audits: Audit[] = [];
  if (cpuSplit !== null && cpups !== null) {
    const foreign = Math.max(0, cpups - (100 * ours(cpuSplit)) / (intervalS * cpus));
    audits.push(
      judge('foreign-cpu', foreign, {
        what: 'of the CPU went to other programs than the server and the load generator',
        warned: FOREIGN_WARNED_PCT,
        invalid: bounds.maxForeignCpuPct,
        seconds: intervalS,
      }),
    );
  }
  if (steal_pct !== null) {
    audits.push(
      judge('steal', steal_pct, {
        what: 'of the CPU was taken by the hypervisor (steal)',
        warned: STEAL_WARNED_PCT,
        invalid: bounds.maxStealPct,
        seconds: intervalS,
      }),
    );
  }
  return audits;
}

function ours(split: CpuSplit): number {
  const { insertBackends, deleteBackends, queryBackends, maintenanceBackend } = split;
  const foreground = insertBackends + deleteBackends + queryBackends + maintenanceBackend;
  return foreground + split.background + (split.loadGenerator ?? 0);
}

interface Judged {
  readonly what: string;
  readonly warned: number;
  readonly invalid: number;
  readonly seconds: number;
}

function judge(name: AuditName, value: number, { what, ...bounds }: Judged): Audit {
  const isLong = bounds.seconds >= JUDGED_SECONDS;
  const verdict: AuditVerdict =
    value > bounds.invalid && isLong
      ? 'invalid'
      : value > Math.min(bounds.warned, bounds.invalid)
        ? 'warned'
        : 'ok';
  const bound = verdict === 'invalid' ? bounds.invalid : Math.min(bounds.warned, bounds.invalid);
  return { name, verdict, value, bound, reason: `${value.toFixed(1)}% ${what}; bound ${bound}%` };
}
