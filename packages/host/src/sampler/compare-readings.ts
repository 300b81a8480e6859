import type { IoSample, OsSample, VmSample } from '@ibench/core';

/** Averages over a step; null: not measured. */
export interface OsAverages {
  /** Context switches per second. */
  readonly csPerS: number | null;
  /** us + sy in % of the whole machine. */
  readonly cpuPct: number | null;
  /** Over all measured devices. */
  readonly writesPerS: number | null;
  readonly writeKbPerS: number | null;
}

/** Averages of a series. Device values are summed within a sample; a sample without them does not count. */
export function averageSamples(samples: readonly OsSample[]): OsAverages {
  const vms = samples.map((sample) => sample.vm).filter((vm) => vm !== null);
  const ios = samples.map((sample) => sample.io).filter((io) => io.length > 0);
  return {
    csPerS: mean(vms.map((vm) => vm.cs)),
    cpuPct: mean(vms.map(busyPercent)),
    writesPerS: mean(ios.map((io) => total(io, 'writesPerS'))),
    writeKbPerS: mean(ios.map((io) => total(io, 'writeKbPerS'))),
  };
}

/**
 * Warnings, in words, where the averages from exact counter differences and those of the series are more than 5%
 * (of the exact one) apart. A difference below 1 unit says nothing: vmstat prints whole numbers. Meant for steps of
 * 30 s or more: in shorter ones the ends, which no whole sample covers, weigh too much.
 */
export function compareReadings(exact: OsAverages, series: OsAverages): string[] {
  return COMPARED.flatMap(({ field, name }) => {
    const counted = exact[field];
    const sampled = series[field];
    if (counted === null || sampled === null) return [];
    const difference = Math.abs(counted - sampled);
    if (difference < 1 || difference <= MAX_DIFFERENCE * counted) return [];
    return [
      `${name}: the kernel's counters say ${counted.toFixed(1)}, the samples of vmstat and iostat ${sampled.toFixed(1)}, more than 5% apart`,
    ];
  });
}

const MAX_DIFFERENCE = 0.05;

const COMPARED = [
  { field: 'csPerS', name: 'context switches/s' },
  { field: 'cpuPct', name: 'CPU (us + sy, %)' },
  { field: 'writesPerS', name: 'writes/s' },
  { field: 'writeKbPerS', name: 'written kB/s' },
] as const satisfies readonly { field: keyof OsAverages; name: string }[];

/** Where vmstat has a gu column (procps-ng 4), it has taken guest time out of us; it is user time all the same. */
function busyPercent(vm: VmSample): number | null {
  return vm.us === null || vm.sy === null ? null : vm.us + vm.sy + (vm.gu ?? 0);
}

function total(io: readonly IoSample[], field: 'writesPerS' | 'writeKbPerS'): number | null {
  const values = io.map((row) => row[field]).filter((value) => value !== null);
  return values.length === io.length ? values.reduce((sum, value) => sum + value, 0) : null;
}

function mean(values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null);
  if (present.length === 0) return null;
  return present.reduce((sum, value) => sum + value, 0) / present.length;
}
