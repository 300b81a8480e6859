import type { Connect } from '@ibench/core/worker';
import type { Connection } from './driver.ts';

/**
 * Connects with the driver that the job names; there is no falling back to another, which is not even
 * loaded: a process starts faster.
 */
export async function connect(how: Connect): Promise<Connection> {
  if (how.driver === 'libpq') return (await import('./libpq.ts')).connectLibpq(how);
  return (await import('./postgres-js.ts')).connectPostgresJs(how);
}
