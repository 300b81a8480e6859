import type { Audit } from './audit.ts';

/** A process of a step that was seen stopped: it could not run, whatever there was to do. */
export interface StoppedProcess {
  /** In words: `the querier of client 1`. */
  readonly who: string;
  /** A server that was stopped is what was measured; a load generator that was is not. */
  readonly isServer: boolean;
  /** By a debugger, or a signal. */
  readonly isTraced: boolean;
  /** How often it was seen so; it is looked at each second. */
  readonly times: number;
}

/** Did all processes of a step get to run? */
export function stoppedAudit(stopped: readonly StoppedProcess[]): Audit {
  const told = stopped.map(
    ({ who, isServer, isTraced, times }) =>
      `${who} was stopped (${isTraced ? 'by a debugger' : 'SIGSTOP'}), as was seen in ${times} ${times === 1 ? 'second' : 'seconds'}${isServer ? ': its answers were late because of that' : ': the time it lost is in the figures as if the server had taken it'}`,
  );
  const verdict = stopped.some(({ isServer }) => !isServer)
    ? 'invalid'
    : stopped.length > 0
      ? 'warned'
      : 'ok';
  return {
    name: 'stopped',
    verdict,
    value: stopped.reduce((sum, { times }) => sum + times, 0),
    bound: 0,
    reason: told.length > 0 ? told.join('; ') : 'no process of the step was seen stopped',
  };
}
