import { joinDistinct } from './read-file.ts';

/** What /proc/cpuinfo says; null: not said on this architecture. */
export interface CpuInfo {
  readonly model: string | null;
  /** Logical CPUs online. */
  readonly processors: number | null;
  readonly sockets: number | null;
  readonly cores: number | null;
  /** x86: does the CPU say that it runs under a hypervisor? */
  readonly hypervisor: boolean | null;
}

/**
 * Names of arm64 server cores by "implementer/part", which is all that /proc/cpuinfo says there; from
 * arch/arm64/include/asm/cputype.h of Linux.
 */
const ARM_CORES: Readonly<Record<string, string>> = {
  '0x41/0xd03': 'Arm Cortex-A53',
  '0x41/0xd08': 'Arm Cortex-A72',
  '0x41/0xd0b': 'Arm Cortex-A76',
  '0x41/0xd0c': 'Arm Neoverse-N1',
  '0x41/0xd40': 'Arm Neoverse-V1',
  '0x41/0xd49': 'Arm Neoverse-N2',
  '0x41/0xd4f': 'Arm Neoverse-V2',
  '0x41/0xd8e': 'Arm Neoverse-N3',
  '0x41/0xd84': 'Arm Neoverse-V3',
  '0xc0/0xac3': 'Ampere-1',
  '0xc0/0xac4': 'Ampere-1a',
};

/** Parses /proc/cpuinfo of x86, arm64 and ppc64: one block of `key : value` lines per logical CPU. */
export function parseCpuinfo(text: string | null): CpuInfo {
  const blocks = (text ?? '').split(/\n\s*\n/).map(parseBlock);
  const cpus = blocks.filter((block) => block.has('processor'));
  const packages = cpus.map((cpu) => cpu.get('physical id') ?? null);
  const cores = cpus.map((cpu) => {
    const [socket, core] = [cpu.get('physical id'), cpu.get('core id')];
    return socket === undefined || core === undefined ? null : `${socket}/${core}`;
  });
  const flags = cpus[0]?.get('flags');
  return {
    model: joinDistinct(cpus.map(modelOf)),
    processors: cpus.length === 0 ? null : cpus.length,
    sockets: countDistinct(packages),
    cores: countDistinct(cores),
    hypervisor: flags === undefined ? null : flags.split(' ').includes('hypervisor'),
  };
}

/** Number of different values; null where none is known. */
export function countDistinct(values: readonly (string | null)[]): number | null {
  const distinct = new Set(values.filter((value) => value !== null));
  return distinct.size === 0 ? null : distinct.size;
}

function parseBlock(block: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) entries.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return entries;
}

function modelOf(cpu: ReadonlyMap<string, string>): string | null {
  const named = cpu.get('model name') ?? cpu.get('cpu');
  if (named !== undefined) return named;
  const [implementer, part] = [cpu.get('CPU implementer'), cpu.get('CPU part')];
  if (implementer === undefined || part === undefined) return null;
  return ARM_CORES[`${implementer}/${part}`] ?? `implementer ${implementer} part ${part}`;
}
