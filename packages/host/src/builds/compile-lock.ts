import type net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenAlone } from '../lock/abstract-socket.ts';

/** How often the place of another process is tried. */
const RETRY_MS = 500;

export interface CompileLock {
  /** What is compiled, and where to; a checksum. */
  readonly key: string;
  /** Told once when another process is at it. */
  readonly onWait: () => void;
  readonly signal?: AbortSignal;
}

/**
 * Runs `work` when no other process works under the same key; waits for it otherwise. The lock goes with the
 * process that holds it, however that ends.
 */
export async function inCompileLock<T>(lock: CompileLock, work: () => Promise<T>): Promise<T> {
  const { key, onWait, signal } = lock;
  const name = `\0ibench-compile-${key}`;
  let server = await listen(name);
  if (server === null) onWait();
  while (server === null) {
    // Its own words for an abort would hide the reason.
    await sleep(RETRY_MS, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
    server = await listen(name);
  }
  try {
    return await work();
  } finally {
    server.close();
  }
}

function listen(name: string): Promise<net.Server | null> {
  return listenAlone(name, (socket) => socket.destroy());
}
