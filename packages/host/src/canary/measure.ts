import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { CanaryFigures } from '@ibench/core';
import { measureFlushes } from '../doctor/flush-latency.ts';

const REPEATS = 5;
const LOOP_ROUNDS = 20_000_000;
const COPY_BYTES = 64 * 1024 ** 2;
const BLOCK_BYTES = 8192;
const WRITES = 500;
const FLUSHES = { writes: 100, maxMs: 500 } as const;

/** Does the fixed work and times it: about a second in all, blocking. Leaves nothing in `directory`. */
export function measureCanary(directory: string): CanaryFigures {
  const flushes = measureFlushes(directory, FLUSHES);
  return {
    cpuMs: timeLoop(),
    memoryMbPerS: copySpeed(),
    flushUs: flushes.kind === 'measured' ? median(flushes.microseconds) : null,
    writeUs: timeWrites(directory),
  };
}

/** The first round is for the compiler. */
function timeLoop(): number {
  loop(LOOP_ROUNDS);
  return median(repeat(() => loop(LOOP_ROUNDS)));
}

/** xorshift32 (Marsaglia, 2003): each round needs the one before, so nothing can be left out. */
function loop(rounds: number): number {
  let state = 2463534242;
  for (let i = 0; i < rounds; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
  }
  return state;
}

function copySpeed(): number {
  const [from, to] = [Buffer.alloc(COPY_BYTES, 1), Buffer.alloc(COPY_BYTES, 2)];
  const ms = median(repeat(() => from.copy(to)));
  return COPY_BYTES / 1024 ** 2 / (ms / 1000);
}

/** Into the page cache, over blocks that exist; null where the directory cannot be written. */
function timeWrites(directory: string): number | null {
  const path = join(directory, `.ibench-canary-${process.pid}-${randomBytes(4).toString('hex')}`);
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch {
    return null;
  }
  try {
    const block = randomBytes(BLOCK_BYTES);
    const write = (i: number): number => writeSync(file, block, 0, BLOCK_BYTES, i * BLOCK_BYTES);
    for (let i = 0; i < WRITES; i++) write(i);
    return 1000 * median(Array.from({ length: WRITES }, (_, i) => timed(() => write(i))));
  } catch {
    return null;
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

function repeat(work: () => unknown): number[] {
  return Array.from({ length: REPEATS }, () => timed(work));
}

/** ms */
function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}
