import { RunError, type StepResult } from '@ibench/core';
import { type DatabaseServer, logTail } from '@ibench/host';
import { crashOwner, withCrash } from './server-crash.ts';

/** A step that did not run to its end, with what was measured until then. */
export class StepFailure extends RunError {
  override readonly name: string = 'StepFailure';
  readonly partial: Partial<StepResult>;

  /** @param ownerOf names whose backend it is that had this process id; null: not known */
  constructor(
    partial: Partial<StepResult>,
    { cause, ownerOf = () => null }: { cause: unknown; ownerOf?: (pid: number) => string | null },
  ) {
    super(`${crashOwner(cause, ownerOf)}${messageOf(cause)}`, {
      cause,
      sqlstate: cause instanceof RunError ? cause.sqlstate : undefined,
    });
    this.partial = partial;
  }
}

/** The words of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Waits for work, but not longer than the server lives or the user lets it.
 *
 * @throws RunError with the end of the server's log when the server has gone, whatever the work itself
 *   failed with because of that, or when one of its processes crashed; the signal's reason when it is
 *   aborted
 */
export async function guarded<T>(
  work: Promise<T>,
  { server, signal }: { readonly server: DatabaseServer; readonly signal: AbortSignal },
): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    // Nothing dear may hang on the server's end: every call that was ever guarded hears of it.
    Promise.race([work, server.exited.then(() => SERVER_GONE)])
      .then(async (value) => {
        if (value !== SERVER_GONE) return value as T;
        throw serverLost(server, await server.exited);
      })
      .catch(async (error) => {
        if (error instanceof ServerLost) throw error;
        throw (await exitSoon(server)) ?? withCrash(error, server.logPath);
      })
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/** What a race gives where the server ended before the work did. */
const SERVER_GONE = Symbol('server gone');

/** A lost connection is often the first sign of a lost server: give the news a moment to arrive. */
async function exitSoon(server: DatabaseServer): Promise<RunError | null> {
  const how = await Promise.race([
    server.exited,
    new Promise<null>((resolve) => setTimeout(resolve, 500, null)),
  ]);
  return how === null ? null : serverLost(server, how);
}

/** The server ended while it was needed. */
class ServerLost extends RunError {}

function serverLost(server: DatabaseServer, how: string): RunError {
  return new ServerLost(`the server is gone: ${how}${logTail(server.logPath)}`);
}
