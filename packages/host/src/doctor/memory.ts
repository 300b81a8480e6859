import { type DoctorFinding, ok, unknown, warn } from './finding.ts';
import { formatBytes } from './format-bytes.ts';

/** Transparent huge pages: `always` lets the kernel compact memory while statements wait. */
export function judgeTransparentHugePages(mode: string | null): DoctorFinding {
  const check = 'transparent huge pages';
  if (mode === null) return unknown(check, 'this kernel has none, or does not say');
  if (mode !== 'always') return ok(check, mode);
  return warn(
    check,
    'always: compaction in the kernel causes stalls, and memory use depends on its luck',
    'echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled',
  );
}

/** A few pages swapped out long ago never come back and harm nobody. */
const SWAP_USED_WARN_BYTES = 100 * 1024 ** 2;

/** Swap space of the host, bytes; null: not known. */
export function judgeSwap(total: number | null, free: number | null): DoctorFinding {
  const check = 'swap';
  if (total === null || free === null) return unknown(check, 'no SwapTotal in /proc/meminfo');
  if (total === 0) return ok(check, 'none');
  const used = total - free;
  const found = `${formatBytes(used)} of ${formatBytes(total)} in use`;
  if (used <= SWAP_USED_WARN_BYTES) return ok(check, found);
  return warn(
    check,
    `${found}: memory was short, and what was swapped out is read back during the benchmark`,
    'Stop what uses the memory, then sudo swapoff -a && sudo swapon -a; keep it so with sudo sysctl vm.swappiness=1.',
  );
}
