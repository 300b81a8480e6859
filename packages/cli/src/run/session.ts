import os from 'node:os';
import path from 'node:path';
import { type KeptData, type LockOwner, lockHost, makeFolder } from '@ibench/host';
import { closeStore, openStore } from '@ibench/store';
import { humanTerminal } from '../environment.ts';
import { listenForSignals } from '../interrupt.ts';
import { cleanUp } from './leftovers.ts';
import { Progress } from './progress.ts';
import { withReleasers } from './releasers.ts';
import type { RunWorld } from './run-options.ts';

/** What is decided before anything is opened. */
export interface SessionChoice {
  /** SQLite file. */
  readonly store: string;
  readonly runsDirectory: string;
  readonly commandLine: string;
  /** Work beside another runner on this host? */
  readonly allowConcurrent: boolean;
  /** Kept data of runners that are gone which may stay. */
  readonly spare?: (kept: KeptData) => boolean;
}

/**
 * Makes this process the runner of the host, opens the store, stops what a killed runner left behind, and
 * works. Signals are listened to until the work is over.
 *
 * @throws UsageError while another runner works, see lockHost
 */
export function withSession<T>(
  choice: SessionChoice,
  work: (world: RunWorld) => Promise<T>,
): Promise<T> {
  return withReleasers(async (release) => {
    const progress = new Progress(humanTerminal());
    const lock = await lockHost({
      owner: {
        pid: process.pid,
        user: os.userInfo().username,
        command: choice.commandLine,
        since: new Date().toISOString(),
        store: choice.store,
      },
      allowConcurrent: choice.allowConcurrent,
      say: (text) => progress.line(text),
    });
    release(() => lock.release());
    makeFolder('folder of the store (--db, --runs-dir)', path.dirname(choice.store));
    const store = openStore(choice.store, { say: (text) => progress.line(text) });
    release(() => closeStore(store));
    const interrupt = listenForSignals((text) => progress.line(text), 'stopping the load');
    release(() => interrupt.close());
    const lines = await cleanUp(store, choice.runsDirectory, choice.spare);
    for (const line of lines) progress.line(line);
    return await work({ store, progress, signal: interrupt.signal, warnings: beside(lock.others) });
  });
}

/** What is to be known of every run, where other runners work on the same host. */
function beside(others: readonly (LockOwner | null)[]): string[] {
  return others.map((other) => {
    const who = other === null ? 'stopped, perhaps' : `pid ${other.pid} of ${other.user}`;
    return `another runner (${who}) worked on this host when this began`;
  });
}
