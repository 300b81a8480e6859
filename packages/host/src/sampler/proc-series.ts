import type { CpuTimes, IoSample, VmSample } from '@ibench/core';
import type { DiskStats } from './proc-diskstats.ts';
import { type ProcStat, parseProcStat } from './proc-stat.ts';

/** What vmstat reads for one row. */
export interface VmReading {
  readonly stat: ProcStat;
  /** `/proc/vmstat`: pages and, for pgpgin and pgpgout, kB since boot. */
  readonly vmstat: ReadonlyMap<string, number>;
  /** `/proc/meminfo`, kB. */
  readonly meminfo: ReadonlyMap<string, number>;
}

/** The files that a VmReading comes from. */
export const VM_FILES: readonly string[] = ['/proc/stat', '/proc/vmstat', '/proc/meminfo'];

/** @param texts of VM_FILES, in their order */
export function parseVm([stat, vmstat, meminfo]: readonly string[]): VmReading {
  return {
    stat: parseProcStat(stat ?? ''),
    vmstat: parseCounters(vmstat ?? ''),
    meminfo: parseCounters(meminfo ?? ''),
  };
}

/** The file that tells the size of a memory page. */
export const PAGE_FILE = '/proc/self/smaps';

/** Size of a memory page in kB, which differs between arm64 kernels; null: the kernel does not tell. */
export function parsePageKb(smaps: string): number | null {
  const found = /^KernelPageSize:\s+(\d+) kB$/m.exec(smaps);
  return found === null ? null : Number(found[1]);
}

/** Parses `/proc/vmstat` (`name 1`) and `/proc/meminfo` (`name:  1 kB`). */
export function parseCounters(text: string): Map<string, number> {
  const counters = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [name, value] = line.split(/:?\s+/);
    if (name !== undefined && value !== undefined) counters.set(name, Number(value));
  }
  return counters;
}

/**
 * The row that vmstat would print for the time between two readings, but not rounded. As in vmstat, us is user and
 * nice (guest inside, so that gu is null), sy is system, irq and softirq, and cache holds the reclaimable slab too.
 */
export function vmSampleBetween(
  before: VmReading,
  after: VmReading,
  { seconds, pageKb }: { readonly seconds: number; readonly pageKb: number | null },
): VmSample {
  const { meminfo, stat } = after;
  const perS = (now: number | null | undefined, then: number | null | undefined): number | null =>
    now == null || then == null ? null : (now - then) / seconds;
  const counter = (name: string): number | null =>
    perS(after.vmstat.get(name), before.vmstat.get(name));
  const kb = (name: string): number | null => meminfo.get(name) ?? null;
  return {
    r: stat.running,
    b: stat.blocked,
    swpd: add(kb('SwapTotal'), negate(kb('SwapFree'))),
    free: kb('MemFree'),
    buff: kb('Buffers'),
    cache: add(kb('Cached'), kb('SReclaimable') ?? 0),
    si: multiply(counter('pswpin'), pageKb),
    so: multiply(counter('pswpout'), pageKb),
    bi: counter('pgpgin'),
    bo: counter('pgpgout'),
    interrupts: perS(stat.interrupts, before.stat.interrupts),
    cs: perS(stat.contextSwitches, before.stat.contextSwitches),
    ...cpuPercent(before.stat.cpu, stat.cpu),
    gu: null,
  };
}

/** The rows that `iostat -kx` would print for the time between two readings, for the devices found in both. */
export function ioSamplesBetween(
  before: ReadonlyMap<string, DiskStats>,
  after: ReadonlyMap<string, DiskStats>,
  { seconds, devices }: { readonly seconds: number; readonly devices: readonly string[] },
): IoSample[] {
  return devices.flatMap((device) => {
    const then = before.get(device);
    const now = after.get(device);
    return then === undefined || now === undefined ? [] : [toIoSample(then, now, seconds)];
  });
}

function toIoSample(then: DiskStats, now: DiskStats, seconds: number): IoSample {
  type Counter = Exclude<keyof DiskStats, 'device'>;
  const delta = (name: Counter): number | null => {
    const [a, b] = [then[name], now[name]];
    if (a === null || b === null) return null;
    if (b >= a) return b - a;
    // The kernel's millisecond counters have 32 bits: with 100 requests in flight they start over after 12 hours.
    // Any other counter that steps back belongs to a new device of the same name.
    return name.endsWith('Ms') ? b - a + 2 ** 32 : null;
  };
  const perS = (name: Counter, factor = 1): number | null =>
    multiply(delta(name), factor / seconds);
  const wait = (ms: Counter, requests: Counter): number | null => {
    const count = delta(requests);
    const total = delta(ms);
    // Without a request there was no wait to measure, where iostat prints 0.00.
    return count === null || total === null || count === 0 ? null : total / count;
  };
  return {
    device: now.device,
    readsPerS: perS('reads'),
    readKbPerS: perS('readSectors', 0.5),
    readAwaitMs: wait('readMs', 'reads'),
    writesPerS: perS('writes'),
    writeKbPerS: perS('writeSectors', 0.5),
    writeAwaitMs: wait('writeMs', 'writes'),
    discardsPerS: perS('discards'),
    discardKbPerS: perS('discardSectors', 0.5),
    discardAwaitMs: wait('discardMs', 'discards'),
    flushesPerS: perS('flushes'),
    flushAwaitMs: wait('flushMs', 'flushes'),
    queueSize: perS('queueMs', 1 / 1000),
    utilPct: perS('busyMs', 100 / 1000),
  };
}

function cpuPercent(
  then: CpuTimes,
  now: CpuTimes,
): Pick<VmSample, 'us' | 'sy' | 'idle' | 'wa' | 'st'> {
  // Idle and iowait can step back a little when CPUs go to sleep.
  const spent = (...kinds: (keyof CpuTimes)[]): number =>
    kinds.reduce((sum, kind) => sum + Math.max(0, now[kind] - then[kind]), 0);
  const parts = {
    us: spent('user', 'nice'),
    sy: spent('system', 'irq', 'softirq'),
    idle: spent('idle'),
    wa: spent('iowait'),
    st: spent('steal'),
  };
  const total = parts.us + parts.sy + parts.idle + parts.wa + parts.st;
  const percent = (part: number): number | null => (total === 0 ? null : (100 * part) / total);
  return {
    us: percent(parts.us),
    sy: percent(parts.sy),
    idle: percent(parts.idle),
    wa: percent(parts.wa),
    st: percent(parts.st),
  };
}

function add(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

function multiply(value: number | null, factor: number | null): number | null {
  return value === null || factor === null ? null : value * factor;
}

function negate(value: number | null): number | null {
  return value === null ? null : -value;
}
