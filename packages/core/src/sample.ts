/** One sample of `vmstat`, columns as vmstat names them; null where this vmstat has no such column. */
export interface VmSample {
  readonly r: number | null;
  readonly b: number | null;
  readonly swpd: number | null;
  readonly free: number | null;
  readonly buff: number | null;
  readonly cache: number | null;
  readonly si: number | null;
  readonly so: number | null;
  readonly bi: number | null;
  readonly bo: number | null;
  readonly interrupts: number | null;
  readonly cs: number | null;
  readonly us: number | null;
  readonly sy: number | null;
  readonly idle: number | null;
  readonly wa: number | null;
  readonly st: number | null;
  readonly gu: number | null;
}

/** One device in one report of `iostat -kx`; rates per second, kB = 1024 bytes, times in ms. */
export interface IoSample {
  readonly device: string;
  readonly readsPerS: number | null;
  readonly readKbPerS: number | null;
  readonly readAwaitMs: number | null;
  readonly writesPerS: number | null;
  readonly writeKbPerS: number | null;
  readonly writeAwaitMs: number | null;
  readonly discardsPerS: number | null;
  readonly discardKbPerS: number | null;
  readonly discardAwaitMs: number | null;
  readonly flushesPerS: number | null;
  readonly flushAwaitMs: number | null;
  readonly queueSize: number | null;
  readonly utilPct: number | null;
}

/** What the operating system showed in one interval of a step. */
export interface OsSample {
  /** Whole seconds since the step started, at the end of the sampled interval. */
  readonly second: number;
  readonly vm: VmSample | null;
  readonly io: readonly IoSample[];
}

/** CPU time since boot by kind, in seconds over all logical CPUs (`/proc/stat`). Guest time is inside user and nice. */
export interface CpuTimes {
  readonly user: number;
  readonly nice: number;
  readonly system: number;
  readonly idle: number;
  readonly iowait: number;
  readonly irq: number;
  readonly softirq: number;
  readonly steal: number;
}

/** Counters of one block device since boot (`/proc/diskstats`); sectors are 512 bytes; null: kernel too old. */
export interface DiskCounters {
  readonly device: string;
  readonly reads: number;
  readonly readSectors: number;
  readonly readMs: number;
  readonly writes: number;
  readonly writeSectors: number;
  readonly writeMs: number;
  readonly flushes: number | null;
  readonly flushMs: number | null;
}

/** The kernel's counters at one instant. */
export interface OsCounters {
  /** CLOCK_MONOTONIC, seconds. */
  readonly atS: number;
  readonly cpu: CpuTimes;
  /** Context switches since boot. */
  readonly contextSwitches: number;
  /** Logical CPUs online. */
  readonly cpus: number;
  /** Counters of the devices under the data and WAL directories; empty where they could not be found. */
  readonly disks: readonly DiskCounters[];
}

/** User and system CPU seconds. */
export interface CpuSeconds {
  readonly user: number;
  readonly system: number;
}
