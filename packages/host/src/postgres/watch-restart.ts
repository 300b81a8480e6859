import { RunError } from '@ibench/core';
import { isRunning, processToken } from '../process.ts';
import { type Admin, run } from './admin.ts';

/** Notices that a server which is not ours went away or came anew. */
export interface RestartWatch {
  /** See DatabaseServer. Only a process on this host can be watched; of others it never is fulfilled. */
  readonly exited: Promise<string>;
  /** Rejects when the server was started later than when the watch began. */
  check(): Promise<void>;
  close(): void;
}

const WATCH_MS = 200;

/** @param pid the server's main process, where it runs on this host */
export async function watchRestart(admin: Admin, pid: number | null): Promise<RestartWatch> {
  const startedAt = await readStartTime(admin);
  const token = pid === null ? null : processToken(pid);
  let timer: NodeJS.Timeout | undefined;
  const exited = new Promise<string>((resolve) => {
    if (pid === null || token === null) return;
    timer = setInterval(() => {
      if (isRunning(pid, token)) return;
      clearInterval(timer);
      resolve(`its main process, pid ${pid}, has ended`);
    }, WATCH_MS);
    timer.unref();
  });
  const check = async (): Promise<void> => {
    const now = await readStartTime(admin);
    if (now === startedAt) return;
    throw new RunError(
      `the server was restarted at ${now}: it had been running since ${startedAt}`,
    );
  };
  return { exited, check, close: () => clearInterval(timer) };
}

async function readStartTime(admin: Admin): Promise<string> {
  const [row] = await run(
    admin,
    'select pg_postmaster_start_time()::text as at',
    "reading the server's start time",
  );
  return row?.at as string;
}
