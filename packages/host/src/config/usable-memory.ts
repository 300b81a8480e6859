import os from 'node:os';

/**
 * Memory that a server started here can have, bytes: the host's, or the limit of the control group that
 * this process and its children are in, where that is less.
 */
export function usableMemory(
  total: number = os.totalmem(),
  limit: number | undefined = process.constrainedMemory(),
): number {
  // Without a limit the kernel gives a number larger than any memory, or nothing.
  return limit === undefined || limit === 0 ? total : Math.min(total, limit);
}
