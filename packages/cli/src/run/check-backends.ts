import { ROLES, RunError } from '@ibench/core';
import type { Backend } from '@ibench/host';
import { addWarning } from '@ibench/store';
import { applicationName, type RunContext } from './context.ts';

/** The connections that there should be and are not, and those that there are and should not be. */
export interface Strangers {
  readonly missing: readonly string[];
  readonly others: readonly string[];
}

/**
 * Checks that the server sees the connections of a step's workers. Others are a failure on a server of
 * ours, where nothing else may work, and a warning on one that is not.
 *
 * @param expected names of the workers' connections
 * @throws RunError with the connections that there should be, and those that there are
 */
export async function checkBackends(
  context: RunContext,
  stepKey: number,
  expected: readonly string[],
): Promise<void> {
  const { runId, server, store, log } = context;
  const seen = workConnections(runId, await server.backends());
  const { missing, others } = compare(expected, seen);
  if (missing.length > 0 || (server.isExclusive && others.length > 0)) {
    const names = [...expected].sort().join(', ');
    throw new RunError(
      `expected the connections ${names}; the server has ${seen.join(', ') || 'none'}: nothing else may use the server under test`,
    );
  }
  if (others.length === 0) return;
  const text = `others were connected to the server when the step began: ${listed(others)}`;
  addWarning(store, stepKey, text);
  log.warn({}, text);
}

/** The same comparison while the step runs. @param backends what the server has shown */
export function findStrangers(
  runId: string,
  expected: readonly string[],
  backends: readonly Backend[],
): Strangers {
  return compare(expected, workConnections(runId, backends));
}

/** Names in words; a connection need not have one. */
export function listed(names: readonly string[]): string {
  return names.map((name) => name || 'one without a name').join(', ');
}

/** All connections but those that the runner has for itself. */
function workConnections(runId: string, backends: readonly Backend[]): string[] {
  const own = applicationName(runId, '');
  const isOwn = (name: string): boolean =>
    name.startsWith(own) &&
    !ROLES.some((role) => name.startsWith(`${applicationName(runId, role)}/`));
  return backends
    .map((backend) => backend.applicationName)
    .filter((name) => !isOwn(name))
    .sort();
}

/** A name counts as often as it is there. */
function compare(expected: readonly string[], seen: readonly string[]): Strangers {
  const others = [...seen];
  const missing = expected.filter((name) => {
    const at = others.indexOf(name);
    if (at >= 0) others.splice(at, 1);
    return at < 0;
  });
  return { missing, others };
}
