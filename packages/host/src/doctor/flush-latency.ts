import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { bad, type DoctorFinding, ok, unknown, warn } from './finding.ts';

/** Times of single 8 kB writes with their flush, microseconds, in the order they were made. */
export type FlushTimes =
  | { readonly kind: 'measured'; readonly microseconds: readonly number[] }
  | { readonly kind: 'failed'; readonly reason: string };

const BLOCK_BYTES = 8192;
/** How many writes, and how long at most. */
export interface FlushEffort {
  readonly writes: number;
  readonly maxMs: number;
}

const THOROUGH: FlushEffort = { writes: 200, maxMs: 3000 };

/**
 * Writes 8 kB blocks one by one over an existing file in `directory`, as Postgres overwrites recycled
 * WAL, with fdatasync after each: 200 times, or until 3 s have passed, unless another effort is given. The file is
 * removed afterwards.
 * Synchronous on purpose: the thread pool would add its own 20 to 50 µs to each flush.
 */
export function measureFlushes(directory: string, effort: FlushEffort = THOROUGH): FlushTimes {
  const path = join(directory, `.ibench-doctor-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    return { kind: 'measured', microseconds: timeFlushes(path, effort) };
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function timeFlushes(path: string, { writes, maxMs }: FlushEffort): readonly number[] {
  const file = openSync(path, 'wx', 0o600);
  try {
    // Random bytes, so that a file system that compresses still has something to write.
    writeSync(file, randomBytes(writes * BLOCK_BYTES), 0, writes * BLOCK_BYTES, 0);
    fdatasyncSync(file);
    const block = randomBytes(BLOCK_BYTES);
    const times: number[] = [];
    const start = performance.now();
    let now = start;
    while (times.length < writes && now - start < maxMs) {
      writeSync(file, block, 0, BLOCK_BYTES, times.length * BLOCK_BYTES);
      fdatasyncSync(file);
      const end = performance.now();
      times.push((end - now) * 1000);
      now = end;
    }
    return times;
  } finally {
    closeSync(file);
    rmSync(path);
  }
}

/** Faster than any device answers that really empties a volatile cache. */
const IMPLAUSIBLE_US = 50;
/** One client then commits fewer than 100 times per second. */
const SLOW_US = 10_000;

/** What the host says about the device that was flushed. */
export interface FlushedDevice {
  readonly virtualised: string | null;
  /** write back or write through. */
  readonly writeCache: string | null;
}

/** Judges the median; microseconds. An implausibly fast flush is believed only of a drive without volatile cache. */
export function judgeFlushes(flushes: FlushTimes, device: FlushedDevice): DoctorFinding {
  const check = 'flush latency';
  if (flushes.kind === 'failed') return unknown(check, `not measured: ${flushes.reason}`);
  const sorted = [...flushes.microseconds].sort((a, b) => a - b);
  if (sorted.length === 0) return unknown(check, 'not measured: no flush ended in time');
  const median = percentile(sorted, 0.5);
  const found = `median ${formatUs(median)}, p99 ${formatUs(percentile(sorted, 0.99))} over ${sorted.length} × (8 kB write + fdatasync)`;
  if (median > SLOW_US) {
    const perSecond = Math.round(1e6 / median);
    return warn(
      check,
      `${found}: one client commits at most ${perSecond} times per second`,
      'Expected of a rotating disk; of an SSD, look for other load on the device with iostat -x 1.',
    );
  }
  if (median >= IMPLAUSIBLE_US) return ok(check, found);
  if (device.virtualised === 'none' && device.writeCache === 'write through') {
    return ok(check, `${found}: plausible, the device has no volatile cache to flush`);
  }
  return warn(
    check,
    `${found}: too fast for a flush that reaches a disk`,
    'Commits may not survive a power failure and cost less than elsewhere: compare only with runs on this host. On a virtual machine look at the cache mode of its disk, on tmpfs choose another directory.',
  );
}

/** Can the file system be written at all, by the same attempt. */
export function judgeWritable(flushes: FlushTimes, directory: string): DoctorFinding {
  const check = 'directory';
  if (flushes.kind === 'measured') return ok(check, `${directory} can be written`);
  return bad(
    check,
    `${directory} cannot be written: ${flushes.reason}`,
    'Give the directory to this user with chown, or choose another.',
  );
}

/** Nearest rank: the smallest value that at least this share of the values do not exceed. */
function percentile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.ceil(fraction * sorted.length) - 1] as number;
}

function formatUs(us: number): string {
  return us < 1000 ? `${Math.round(us)} µs` : `${(us / 1000).toFixed(1)} ms`;
}
