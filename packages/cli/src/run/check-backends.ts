import { RunError } from '@ibench/core';
import { addWarning } from '@ibench/store';
import { applicationName, type RunContext } from './context.ts';
import { OWN_ROLES } from './observers.ts';

/**
 * Checks that the server sees the connections of a step's workers. Others are a failure on a server of
 * ours, where nothing else may work, and a warning on one that is not.
 *
 * @param expected names of the workers' connections
 * @throws RunError with the connections that there should be, and those that there are
 */
export async function checkBackends(
  { server, runId, store, log }: RunContext,
  stepKey: number,
  expected: readonly string[],
): Promise<void> {
  const own = OWN_ROLES.map((role) => applicationName(runId, role));
  const seen = (await server.backends())
    .map((backend) => backend.applicationName)
    .filter((name) => !own.includes(name))
    .sort();
  const { missing, others } = compare(expected, seen);
  if (missing.length > 0 || (server.isExclusive && others.length > 0)) {
    const names = [...expected].sort().join(', ');
    throw new RunError(
      `expected the connections ${names}; the server has ${seen.join(', ') || 'none'}: nothing else may use the server under test`,
    );
  }
  if (others.length === 0) return;
  const names = others.map((name) => name || 'one without a name').join(', ');
  const text = `others were connected to the server when the step began: ${names}`;
  addWarning(store, stepKey, text);
  log.warn({}, text);
}

/** A name counts as often as it is there. */
function compare(expected: readonly string[], seen: readonly string[]) {
  const others = [...seen];
  const missing = expected.filter((name) => {
    const at = others.indexOf(name);
    if (at >= 0) others.splice(at, 1);
    return at < 0;
  });
  return { missing, others };
}
