import { parseChoice, readNumber, readText } from './read-file.ts';
import type { HostSource } from './source.ts';

/** Memory of the host and how its kernel treats it; null: this host does not say. */
export interface MemoryFacts {
  readonly memory_bytes: number | null;
  readonly swap_bytes: number | null;
  /** Reserved huge pages (`vm.nr_hugepages`). */
  readonly huge_pages: number | null;
  readonly huge_page_bytes: number | null;
  /** always, madvise or never. */
  readonly transparent_huge_pages: string | null;
  readonly dirty_background_bytes: number | null;
  readonly dirty_background_ratio: number | null;
  readonly dirty_bytes: number | null;
  readonly dirty_ratio: number | null;
  readonly dirty_expire_centisecs: number | null;
  readonly dirty_writeback_centisecs: number | null;
  readonly swappiness: number | null;
}

/** Reads memory facts from /proc/meminfo, /proc/sys/vm and /sys/kernel/mm. */
export async function readMemoryFacts(source: HostSource): Promise<MemoryFacts> {
  const meminfo = parseMeminfo(await readText(`${source.proc}/meminfo`));
  const vm = (name: string) => readNumber(`${source.proc}/sys/vm/${name}`);
  const thp = `${source.sys}/kernel/mm/transparent_hugepage/enabled`;
  return {
    memory_bytes: meminfo.get('MemTotal') ?? null,
    swap_bytes: meminfo.get('SwapTotal') ?? null,
    huge_pages: meminfo.get('HugePages_Total') ?? null,
    huge_page_bytes: meminfo.get('Hugepagesize') ?? null,
    transparent_huge_pages: parseChoice(await readText(thp)),
    dirty_background_bytes: await vm('dirty_background_bytes'),
    dirty_background_ratio: await vm('dirty_background_ratio'),
    dirty_bytes: await vm('dirty_bytes'),
    dirty_ratio: await vm('dirty_ratio'),
    dirty_expire_centisecs: await vm('dirty_expire_centisecs'),
    dirty_writeback_centisecs: await vm('dirty_writeback_centisecs'),
    swappiness: await vm('swappiness'),
  };
}

/** Values of /proc/meminfo by name: bytes where the file says kB, else the count it gives. */
export function parseMeminfo(text: string | null): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const [, name, value, unit] of (text ?? '').matchAll(/^(\S+):\s+(\d+)( kB)?$/gm)) {
    values.set(name as string, Number(value) * (unit === undefined ? 1 : 1024));
  }
  return values;
}
