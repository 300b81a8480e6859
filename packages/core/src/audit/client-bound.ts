import { clientBound, SERVER_BOUND_SHARE } from '../metrics/client-bound.ts';
import type { WorkerResult } from '../result.ts';
import type { Audit } from './audit.ts';

/** The verdict of metrics/client-bound.ts as an audit; none in steps without clients. */
export function clientBoundAudit(step: string, workers: readonly WorkerResult[]): Audit[] {
  const { server_wait_share: share, client_bound: isBound } = clientBound(step, workers);
  if (share === null) return [];
  return [
    {
      name: 'client-bound',
      verdict: isBound ? 'warned' : 'ok',
      value: share,
      bound: SERVER_BOUND_SHARE,
      reason: `the worker that set the pace waited for the server ${(100 * share).toFixed(1)}% of its time`,
    },
  ];
}
