import type { DatabaseServer } from '@ibench/host';
import { messageOf } from './failure.ts';
import type { Progress } from './progress.ts';
import type { RunLog } from './run-log.ts';

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
    await server.stop(how.hurry);
  } catch (error) {
    how.log.error({ err: error }, 'the server could not be stopped');
    how.progress.line(`the server could not be stopped: ${messageOf(error)}`);
    throw error;
  }
}
