import { type DatabaseServer, endProcess, processToken } from '@ibench/host';
import { messageOf } from './failure.ts';
import type { Progress } from './progress.ts';
import type { RunLog } from './run-log.ts';

/**
 * A fast shutdown waits for a backend that is stuck, and for a checkpoint. Of a run that did not succeed
 * nobody needs the data, so it gets little time; at the immediate shutdown the postmaster itself kills,
 * after 5 s, what does not end.
 */
const HURRIED = [
  { signal: 'SIGINT', waitMs: 5000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5000 },
] as const;

/**
 * Stops the server of a run and removes its data.
 *
 * @param how.hurry the run did not succeed
 * @throws what keeps it from stopping, which the user is told in any case
 */
export async function stopServer(
  server: DatabaseServer,
  how: { readonly hurry: boolean; readonly log: RunLog; readonly progress: Progress },
): Promise<void> {
  try {
    const token = processToken(server.pid);
    if (how.hurry && token !== null) await endProcess(server.pid, token, HURRIED);
    await server.stop();
  } catch (error) {
    how.log.error({ err: error }, 'the server could not be stopped');
    how.progress.line(`the server could not be stopped: ${messageOf(error)}`);
    throw error;
  }
}
