import { parseCpuinfo } from './cpuinfo.ts';
import { readText } from './read-file.ts';
import type { HostSource } from './source.ts';
import { nameHypervisor } from './virtualisation.ts';

/** Kernel, distribution and what lies under them; null: this host does not say. */
export interface SystemFacts {
  readonly hostname: string;
  readonly architecture: string;
  readonly kernel: string;
  readonly distribution: string | null;
  /** C library and its version, e.g. `glibc 2.36`. */
  readonly libc: string | null;
  readonly node_version: string;
  readonly hardware_vendor: string | null;
  readonly hardware_product: string | null;
  /** Name of the hypervisor, `unknown hypervisor`, or `none`. */
  readonly virtualised: string | null;
  /** Name of the container manager, or `none`. */
  readonly container: string | null;
  readonly clock_source: string | null;
}

/** Reads facts about the operating system; runs systemd-detect-virt, getconf and ldd where they exist. */
export async function readSystemFacts(source: HostSource): Promise<SystemFacts> {
  const vendor = await readText(`${source.sys}/class/dmi/id/sys_vendor`);
  const product = await readText(`${source.sys}/class/dmi/id/product_name`);
  return {
    hostname: source.uname.hostname,
    architecture: source.uname.machine,
    kernel: source.uname.kernel,
    distribution: parseOsRelease(await readText(`${source.etc}/os-release`)),
    libc: await readLibc(source),
    node_version: source.nodeVersion,
    hardware_vendor: vendor,
    hardware_product: product,
    virtualised: nameHypervisor({
      detected: await detectVirt(source, '--vm'),
      cpuFlag: parseCpuinfo(await readText(`${source.proc}/cpuinfo`)).hypervisor,
      hypervisorType: await readText(`${source.sys}/hypervisor/type`),
      vendor,
      product,
    }),
    container: await detectVirt(source, '--container'),
    clock_source: await readText(
      `${source.sys}/devices/system/clocksource/clocksource0/current_clocksource`,
    ),
  };
}

/** Name of the distribution from os-release(5): PRETTY_NAME, else NAME and VERSION_ID. */
export function parseOsRelease(text: string | null): string | null {
  const values = new Map<string, string>();
  for (const [, name, quoted] of (text ?? '').matchAll(/^([A-Z_]+)=(.*)$/gm)) {
    values.set(name as string, (quoted as string).replace(/^(["'])(.*)\1$/, '$2'));
  }
  const version = values.get('VERSION_ID');
  const name = values.get('NAME');
  const plain = version === undefined || name === undefined ? name : `${name} ${version}`;
  return values.get('PRETTY_NAME') ?? plain ?? null;
}

/** Version from `getconf GNU_LIBC_VERSION` (glibc 2.36) or from what musl's ldd prints. */
export function parseLibc(text: string): string | null {
  const glibc = /^glibc [\d.]+/m.exec(text)?.[0];
  if (glibc !== undefined) return glibc;
  const musl = /^musl libc[\s\S]*?^Version ([\d.]+)/m.exec(text)?.[1];
  return musl === undefined ? null : `musl ${musl}`;
}

async function readLibc(source: HostSource): Promise<string | null> {
  const getconf = await source.run('getconf', ['GNU_LIBC_VERSION']);
  const glibc = getconf.kind === 'ended' ? parseLibc(getconf.stdout) : null;
  if (glibc !== null) return glibc;
  const ldd = await source.run('ldd', ['--version']);
  return ldd.kind === 'ended' ? parseLibc(`${ldd.stdout}\n${ldd.stderr}`) : null;
}

async function detectVirt(source: HostSource, what: '--vm' | '--container') {
  const answer = await source.run('systemd-detect-virt', [what]);
  // Exit code 1 goes with the answer "none".
  if (answer.kind !== 'ended' || answer.exitCode > 1) return null;
  const name = answer.stdout.trim();
  return name === '' ? null : name;
}
