import { countDistinct, parseCpuinfo } from './cpuinfo.ts';
import { countList, joinDistinct, readNames, readNumber, readText } from './read-file.ts';
import type { HostSource } from './source.ts';

/** Processors of the host; null: this host does not say. */
export interface CpuFacts {
  readonly cpu_model: string | null;
  readonly sockets: number | null;
  readonly cores: number | null;
  /** Logical CPUs online. */
  readonly logical_cpus: number | null;
  readonly smt: 'on' | 'off' | null;
  /** cpufreq driver, e.g. intel_pstate. */
  readonly cpu_driver: string | null;
  /** Several joined by ", " where CPUs differ. */
  readonly governor: string | null;
  readonly energy_preference: string | null;
  readonly turbo: 'on' | 'off' | null;
  /** Highest frequency of the fastest CPU. */
  readonly cpu_max_mhz: number | null;
  readonly numa_nodes: number | null;
}

/** What the kernel tells about one logical CPU that is online. */
interface LogicalCpu {
  readonly socket: string | null;
  /** CPUs on the same core, such as `0,32`: the same text for each of them. */
  readonly coreCpus: string | null;
  readonly driver: string | null;
  readonly governor: string | null;
  readonly energyPreference: string | null;
  readonly maxKhz: number | null;
}

/** Reads CPU facts from /proc/cpuinfo and /sys/devices/system. */
export async function readCpuFacts(source: HostSource): Promise<CpuFacts> {
  const base = `${source.sys}/devices/system/cpu`;
  const names = (await readNames(base)).filter((name) => /^cpu\d+$/.test(name));
  const cpus = await Promise.all(names.map((name) => readLogicalCpu(`${base}/${name}`)));
  const info = parseCpuinfo(await readText(`${source.proc}/cpuinfo`));
  const frequencies = cpus.flatMap((cpu) => (cpu.maxKhz === null ? [] : [cpu.maxKhz]));
  return {
    cpu_model: info.model,
    sockets: countDistinct(cpus.map((cpu) => cpu.socket)) ?? info.sockets,
    cores: countDistinct(cpus.map((cpu) => cpu.coreCpus)) ?? info.cores,
    logical_cpus: countList(await readText(`${base}/online`)) ?? info.processors,
    smt: smtState(await readNumber(`${base}/smt/active`), cpus),
    cpu_driver: joinDistinct(cpus.map((cpu) => cpu.driver)),
    governor: joinDistinct(cpus.map((cpu) => cpu.governor)),
    energy_preference: joinDistinct(cpus.map((cpu) => cpu.energyPreference)),
    turbo: turboState(
      await readNumber(`${base}/intel_pstate/no_turbo`),
      await readNumber(`${base}/cpufreq/boost`),
    ),
    cpu_max_mhz: frequencies.length === 0 ? null : Math.max(...frequencies) / 1000,
    numa_nodes: countList(await readText(`${source.sys}/devices/system/node/online`)),
  };
}

/** Turbo by the switch of intel_pstate (`no_turbo`) or of the other drivers (`boost`). */
export function turboState(noTurbo: number | null, boost: number | null): 'on' | 'off' | null {
  if (noTurbo !== null) return noTurbo === 0 ? 'on' : 'off';
  if (boost !== null) return boost === 0 ? 'off' : 'on';
  return null;
}

async function readLogicalCpu(path: string): Promise<LogicalCpu> {
  const socket = await readText(`${path}/topology/physical_package_id`);
  return {
    // Kernels that do not know the socket (some arm64) say -1.
    socket: socket === '-1' ? null : socket,
    // The second name is the one of kernels before 5.3.
    coreCpus:
      (await readText(`${path}/topology/core_cpus_list`)) ??
      (await readText(`${path}/topology/thread_siblings_list`)),
    driver: await readText(`${path}/cpufreq/scaling_driver`),
    governor: await readText(`${path}/cpufreq/scaling_governor`),
    energyPreference: await readText(`${path}/cpufreq/energy_performance_preference`),
    maxKhz: await readNumber(`${path}/cpufreq/cpuinfo_max_freq`),
  };
}

/** Kernels before 4.19 have no `smt/active`; there a core with two CPUs means on. */
function smtState(active: number | null, cpus: readonly LogicalCpu[]): 'on' | 'off' | null {
  if (active !== null) return active === 0 ? 'off' : 'on';
  const counts = cpus.map((cpu) => countList(cpu.coreCpus)).filter((count) => count !== null);
  if (counts.length === 0) return null;
  return counts.some((count) => count > 1) ? 'on' : 'off';
}
