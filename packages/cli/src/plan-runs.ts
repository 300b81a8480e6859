import { UsageError } from '@ibench/core';
import { findPlan, listPlans, planRuns, type Store } from '@ibench/store';

/**
 * What to load: the runs that were named, or those of a plan's last edition; none where neither is given.
 *
 * @throws UsageError for both, for a plan that is not there, or one that has not started a run
 */
export function namedRuns(
  store: Store,
  { run, plan }: { readonly run: readonly string[]; readonly plan: string | undefined },
): readonly string[] {
  if (plan === undefined) return run;
  if (run.length > 0) throw new UsageError('expected --run or --plan, not both');
  const record = findPlan(store, plan);
  if (record === null) {
    const known = listPlans(store).map(({ name }) => name);
    throw new UsageError(`--plan ${plan}: no such plan (plans: ${known.join(', ') || 'none'})`);
  }
  const last = planRuns(store, record.planKey).flatMap(({ attempts }) => attempts.slice(-1));
  if (last.length === 0) throw new UsageError(`--plan ${plan}: it has not started a run yet`);
  return last.map(({ runId }) => runId);
}
