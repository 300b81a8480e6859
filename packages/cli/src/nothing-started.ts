import { RunError, UsageError } from '@ibench/core';

/**
 * What is decided and looked at before anything starts: whatever fails here, be it the user's word or a server
 * that does not answer, nothing was started, and the exit code says so.
 *
 * @throws UsageError in the place of a RunError
 */
export async function nothingStarted<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RunError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
