import type net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '@ibench/core';
import { listenAlone } from './abstract-socket.ts';
import { askOwner, describeOwner, type LockOwner } from './lock-owner.ts';

/** Name of the runner's socket. */
const NAME = '\0ibench-runner';

/** A runner that is just ending gets this long. */
const PATIENCE_MS = 2000;
const RETRY_MS = 100;
/** How often a runner that works beside another tries to be the one who holds the lock. */
const TAKE_OVER_MS = 5000;

export interface LockChoice {
  readonly owner: LockOwner;
  /** Work beside another runner? */
  readonly allowConcurrent: boolean;
  /** Told who else works on this host. */
  readonly say: (text: string) => void;
  /** Only tests need another one. */
  readonly name?: string;
}

/** Gives the lock back. */
export interface HostLock {
  /** The other runner that held the lock when this one began; null: there was none. */
  readonly other: LockOwner | null;
  release(): Promise<void>;
}

/**
 * Makes this process the one runner of the host, and tells whoever asks who it is. With `allowConcurrent`
 * it works beside another one, and takes over the lock when that one has gone.
 *
 * @throws UsageError that names the runner that holds the lock
 */
export async function lockHost(choice: LockChoice): Promise<HostLock> {
  const { owner, allowConcurrent, say, name = NAME } = choice;
  const patience = allowConcurrent ? 0 : PATIENCE_MS;
  const server = await listenPatiently(name, owner, patience);
  if (server !== null) return { other: null, release: () => close(server) };
  const other = await askOwner(name);
  if (!allowConcurrent) {
    throw new UsageError(
      `another runner works on this host: ${describeOwner(other)}\nTwo runs at once disturb each other's numbers: wait for its end, or give --allow-concurrent if you mean it`,
    );
  }
  say(
    `another runner works on this host: ${describeOwner(other)}; its numbers and these are mixed`,
  );
  return { other, release: takeOverLater(name, owner) };
}

/** Tries now and then to get the lock, so that a third runner is refused; gives the way to stop that. */
function takeOverLater(name: string, owner: LockOwner): () => Promise<void> {
  let held: Promise<net.Server | null> = Promise.resolve(null);
  const timer = setInterval(() => {
    held = held.then((server) => server ?? listen(name, owner));
  }, TAKE_OVER_MS).unref();
  return async () => {
    clearInterval(timer);
    const server = await held;
    if (server !== null) await close(server);
  };
}

async function listenPatiently(
  name: string,
  owner: LockOwner,
  patienceMs: number,
): Promise<net.Server | null> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const server = await listen(name, owner);
    if (server !== null || performance.now() >= until) return server;
    await sleep(RETRY_MS);
  }
}

/** null: another process listens there. */
function listen(name: string, owner: LockOwner): Promise<net.Server | null> {
  const answer = `${JSON.stringify(owner)}\n`;
  return listenAlone(name, (socket) => {
    socket.on('error', () => {});
    socket.end(answer);
  });
}

function close(server: net.Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
