import type { CpuTimes } from '@ibench/core';
import { bad, type DoctorFinding, ok, unknown, warn } from './finding.ts';

/** The frequency governor: anything but performance changes the clock with the load. */
export function judgeGovernor(governor: string | null, virtualised: string | null): DoctorFinding {
  const check = 'cpu governor';
  if (governor === 'performance') return ok(check, governor);
  if (governor !== null) {
    const files = '/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor';
    return warn(
      check,
      `${governor}: the clock follows the load, so light steps run at a lower frequency`,
      `echo performance | sudo tee ${files}`,
    );
  }
  return unknown(check, `not visible here${guestNote(virtualised)}`);
}

/** Turbo: the frequency then depends on temperature and on how many cores are busy. */
export function judgeTurbo(turbo: string | null, driver: string | null): DoctorFinding {
  const check = 'turbo';
  if (turbo === 'off') return ok(check, 'off');
  if (turbo === null) return unknown(check, 'the kernel shows no turbo switch');
  const base = '/sys/devices/system/cpu';
  return warn(
    check,
    'on: the frequency depends on temperature and on the number of busy cores',
    driver?.startsWith('intel_')
      ? `echo 1 | sudo tee ${base}/intel_pstate/no_turbo`
      : `echo 0 | sudo tee ${base}/cpufreq/boost`,
  );
}

/** SMT: two logical CPUs share a core, so CPU time per operation depends on how busy the sibling is. */
export function judgeSmt(smt: string | null, virtualised: string | null): DoctorFinding {
  const check = 'smt';
  if (smt === null) return unknown(check, 'the kernel does not say');
  if (smt === 'on') {
    return warn(
      check,
      'on: CPU time per operation depends on what the other thread of the core does',
      'echo off | sudo tee /sys/devices/system/cpu/smt/control',
    );
  }
  // A guest sees the topology it was given; its CPUs may be threads of shared cores.
  if (isGuest(virtualised)) return unknown(check, `off as far as the guest sees (${virtualised})`);
  return ok(check, 'off');
}

/** Virtual machine or not. */
export function judgeVirtualised(virtualised: string | null): DoctorFinding {
  const check = 'virtualised';
  if (virtualised === null) return unknown(check, 'the host gives no sign of it, nor against it');
  if (virtualised === 'none') return ok(check, 'no, bare metal');
  return warn(
    check,
    `yes, ${virtualised}: neighbours, the host's frequency settings and its disk cache are out of sight`,
    'Use bare metal or a dedicated host for results to publish; repeat runs and compare the spread.',
  );
}

const STEAL_WARN_PERCENT = 1;

/** Steal as a share of the CPU time that was wanted since boot; null: there is no /proc/stat. */
export function judgeSteal(cpu: CpuTimes | null): DoctorFinding {
  const check = 'cpu steal';
  if (cpu === null) return unknown(check, 'no /proc/stat');
  const busy = cpu.user + cpu.nice + cpu.system + cpu.irq + cpu.softirq;
  if (busy === 0) return unknown(check, 'no CPU time used yet');
  const percent = (100 * cpu.steal) / (busy + cpu.steal);
  const found = `${percent.toFixed(1)}% of the CPU time wanted since boot went to other machines`;
  if (percent <= STEAL_WARN_PERCENT) return ok(check, found);
  return warn(
    check,
    found,
    'Move to a host that is not oversold; steal_pct shows the share of each step.',
  );
}

/** Read in user space, in some 20 ns. */
const FAST_CLOCKS: readonly string[] = [
  'tsc',
  'kvm-clock',
  'hyperv_clocksource_tsc_page',
  'arch_sys_counter',
  'timebase',
  'tod',
];

/** Slow to read (a device: a microsecond or more) or as coarse as the timer tick. */
const SLOW_CLOCKS: readonly string[] = ['hpet', 'acpi_pm', 'jiffies', 'refined-jiffies', 'pit'];

/** The clock that both Postgres and the load generator read several times per statement. */
export function judgeClockSource(clockSource: string | null): DoctorFinding {
  const check = 'clock source';
  if (clockSource === null) return unknown(check, 'the kernel does not say');
  if (FAST_CLOCKS.includes(clockSource)) return ok(check, clockSource);
  const advice =
    'Where tsc is listed in available_clocksource: echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource; else `dmesg | grep -i tsc` says why it is not.';
  if (SLOW_CLOCKS.includes(clockSource)) {
    return bad(
      check,
      `${clockSource}: reading the time is slow or coarse, and that is measured along`,
      advice,
    );
  }
  return warn(check, `${clockSource}: not known to be read without a system call`, advice);
}

function isGuest(virtualised: string | null): boolean {
  return virtualised !== null && virtualised !== 'none';
}

function guestNote(virtualised: string | null): string {
  return isGuest(virtualised) ? `; the host of this guest (${virtualised}) sets it` : '';
}
