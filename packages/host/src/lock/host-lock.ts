import { randomUUID } from 'node:crypto';
import type net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '@ibench/core';
import { listenAlone, listeningNames } from './abstract-socket.ts';
import { askOwner, describeOwner, type LockOwner } from './lock-owner.ts';

/**
 * Name of the socket of the one runner that works alone. Those that work beside others have names of their
 * own that begin with it, so that all of them are found from their first moment to their last.
 */
const NAME = '\0ibench-runner';

/** A runner that is just ending gets this long. */
const PATIENCE_MS = 2000;
const RETRY_MS = 100;

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
  /** The other runners that worked here when this one began; null: one that does not say who it is. */
  readonly others: readonly (LockOwner | null)[];
  release(): Promise<void>;
}

/**
 * Makes this process a runner of the host, the only one but with `allowConcurrent`, and tells whoever asks
 * who it is.
 *
 * @throws UsageError that names the runners that work here
 */
export function lockHost(choice: LockChoice): Promise<HostLock> {
  const { name = NAME } = choice;
  return choice.allowConcurrent ? lockBeside(name, choice) : lockAlone(name, choice);
}

async function lockBeside(name: string, { owner, say }: LockChoice): Promise<HostLock> {
  const own = `${name}-${randomUUID()}`;
  const server = await listen(own, owner);
  const others = await ask(runners(name).filter((other) => other !== own));
  for (const other of others) {
    say(
      `another runner works on this host: ${describeOwner(other)}; its numbers and these are mixed`,
    );
  }
  return { others, release: () => close(server) };
}

async function lockAlone(name: string, { owner }: LockChoice): Promise<HostLock> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const server = await listen(name, owner);
    const others = runners(name).filter((other) => server === null || other !== name);
    if (server !== null && others.length === 0) return { others: [], release: () => close(server) };
    await close(server);
    if (performance.now() >= until) {
      throw new UsageError(refusal(await ask(others.length > 0 ? others : [name])));
    }
    await sleep(RETRY_MS);
  }
}

function refusal(others: readonly (LockOwner | null)[]): string {
  return `another runner works on this host: ${others.map(describeOwner).join('; ')}\nTwo runs at once disturb each other's numbers: wait for its end, or give --allow-concurrent if you mean it`;
}

/** Names of the sockets of all runners on this host, first of the one that began alone. */
function runners(name: string): string[] {
  return listeningNames()
    .filter((other) => other === name || other.startsWith(`${name}-`))
    .sort();
}

function ask(names: readonly string[]): Promise<(LockOwner | null)[]> {
  return Promise.all(names.map(askOwner));
}

/** null: another process listens there. */
function listen(name: string, owner: LockOwner): Promise<net.Server | null> {
  const answer = `${JSON.stringify(owner)}\n`;
  return listenAlone(name, (socket) => {
    socket.on('error', () => {});
    socket.end(answer);
  });
}

async function close(server: net.Server | null): Promise<void> {
  if (server !== null) await new Promise((resolve) => server.close(resolve));
}
