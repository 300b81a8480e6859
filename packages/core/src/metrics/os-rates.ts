import type { CpuTimes, DiskCounters, OsCounters } from '../sample.ts';
import { divide, scale } from './normalise.ts';

/** What the machine did between two readings; rates per second, awaits in ms, shares in %. */
export interface OsRates {
  /** Time between the readings, seconds. */
  readonly intervalS: number | null;
  readonly cpus: number | null;
  readonly csps: number | null;
  /** us + sy in % of the whole machine. */
  readonly cpups: number | null;
  readonly iowait_pct: number | null;
  readonly steal_pct: number | null;
  readonly rps: number | null;
  readonly rmbps: number | null;
  readonly wps: number | null;
  readonly wmbps: number | null;
  readonly fsyncs_per_s: number | null;
  readonly r_await: number | null;
  readonly w_await: number | null;
  readonly f_await: number | null;
}

const SECTORS_PER_MB = 2048;

/**
 * Averages between two readings of the kernel's counters, over the readings' own interval. I/O is the
 * sum over the devices. null where a reading is missing, a device is missing from one of them, or a
 * counter ran backwards (it wrapped: the difference is unknown); awaits also where nothing completed.
 */
export function osRates(before: OsCounters | null, after: OsCounters | null): OsRates {
  const intervalS = before !== null && after !== null ? after.atS - before.atS : null;
  const disk = (counter: Exclude<keyof DiskCounters, 'device'>): number | null =>
    diskDelta(before, after, counter);
  const perS = (delta: number | null): number | null => divide(delta, intervalS);
  const [reads, writes, flushes] = [disk('reads'), disk('writes'), disk('flushes')];
  return {
    intervalS,
    cpus: after?.cpus ?? null,
    csps: perS(delta(before?.contextSwitches, after?.contextSwitches)),
    ...cpuShares(before, after),
    rps: perS(reads),
    rmbps: perS(scale(disk('readSectors'), 1 / SECTORS_PER_MB)),
    wps: perS(writes),
    wmbps: perS(scale(disk('writeSectors'), 1 / SECTORS_PER_MB)),
    fsyncs_per_s: perS(flushes),
    r_await: divide(disk('readMs'), reads),
    w_await: divide(disk('writeMs'), writes),
    f_await: divide(disk('flushMs'), flushes),
  };
}

/**
 * Shares of the machine as vmstat counts them: us = user + nice (guest is inside), sy = system + irq +
 * softirq. Of all time that the kernel accounted for, not of the clock's, so they never exceed 100%.
 */
function cpuShares(
  before: OsCounters | null,
  after: OsCounters | null,
): Pick<OsRates, 'cpups' | 'iowait_pct' | 'steal_pct'> {
  if (before === null || after === null) return { cpups: null, iowait_pct: null, steal_pct: null };
  // idle and iowait may run backwards a little when a CPU wakes up; vmstat takes that as zero, too.
  const spent = (kind: keyof CpuTimes): number => Math.max(0, after.cpu[kind] - before.cpu[kind]);
  const busy = spent('user') + spent('nice') + spent('system') + spent('irq') + spent('softirq');
  const [iowait, steal] = [spent('iowait'), spent('steal')];
  const total = busy + iowait + steal + spent('idle');
  return {
    cpups: divide(100 * busy, total),
    iowait_pct: divide(100 * iowait, total),
    steal_pct: divide(100 * steal, total),
  };
}

function diskDelta(
  before: OsCounters | null,
  after: OsCounters | null,
  counter: Exclude<keyof DiskCounters, 'device'>,
): number | null {
  if (before === null || after === null || after.disks.length === 0) return null;
  if (before.disks.length !== after.disks.length) return null;
  let sum = 0;
  for (const disk of after.disks) {
    const earlier = before.disks.find(({ device }) => device === disk.device);
    const difference = delta(earlier?.[counter], disk[counter], WRAPPING.has(counter));
    if (difference === null) return null;
    sum += difference;
  }
  return sum;
}

/** Times of `/proc/diskstats` are 32-bit counters of the kernel: they begin again at zero. */
const WRAPPING: ReadonlySet<string> = new Set(['readMs', 'writeMs', 'flushMs']);

function delta(
  before: number | null | undefined,
  after: number | null | undefined,
  wraps = false,
): number | null {
  if (before == null || after == null) return null;
  if (after >= before) return after - before;
  return wraps ? after - before + 2 ** 32 : null;
}
