import { type CallGraph, type ProfileChoice, RunError } from '@ibench/core';
import { chooseCallGraph, type DatabaseServer } from '@ibench/host';
import { applicationName } from './context.ts';

/** What is sampled in the steps of a run, and how. */
export interface Profiler extends ProfileChoice {
  readonly callGraph: CallGraph;
}

/** perf takes its time to start, on a busy host seconds: the backend works until it is cancelled. */
const COMPUTE_S = 15;

/**
 * Finds out, before the first step, how stacks of the server can be walked: on a backend that works for nobody.
 *
 * @returns null: no profiles are asked for
 * @throws RunError where the server's processes cannot be looked at
 */
export async function openProfiler(
  choice: ProfileChoice | null,
  { server, runId, signal }: { server: DatabaseServer; runId: string; signal: AbortSignal },
): Promise<Profiler | null> {
  if (choice === null) return null;
  if (!server.host.isLocal) {
    throw new RunError("--profile perf: the server's processes do not run on this host");
  }
  const connection = await server.openMaintenance(applicationName(runId, 'probe'), () => {});
  try {
    const working = connection.compute(COMPUTE_S);
    working.catch(() => {});
    try {
      return { ...choice, callGraph: await chooseCallGraph(connection.backendPid, signal) };
    } finally {
      // Whatever went wrong before is the news.
      await server.cancel([connection.backendPid]).catch(() => {});
      await working.catch(() => {});
    }
  } finally {
    await connection.close();
  }
}
