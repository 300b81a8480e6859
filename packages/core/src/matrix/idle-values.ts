import { PROFILE_DEFAULTS } from '../profile/choice.ts';
import { isQueryStep } from '../step.ts';
import type { PlanPath, Problems } from './problem.ts';
import { isMap } from './read-map.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * Collects values of a plan's file that nothing would use: whoever wrote them expects something of them.
 *
 * @param value the file's content
 */
export function checkIdleValues(value: Input, problems: Problems): void {
  checkSeed(value.order, problems);
  checkOverridden(value, { from: 'set', entries: 'workloads' }, problems);
  checkOverridden(value, { from: 'settings', entries: 'configs' }, problems);
  checkProfiled(value.run, problems);
}

function checkSeed(order: unknown, problems: Problems): void {
  if (!isMap(order) || order.seed === undefined) return;
  // Another kind is a problem of its own.
  if (order.kind !== 'interleaved' && order.kind !== 'sequential') return;
  problems.add(
    ['order', 'seed'],
    'seed without "kind: shuffled": only a shuffled order is drawn from a seed',
    'key',
  );
}

/** What holds for all entries of an axis, and has another value in each of them. */
function checkOverridden(
  value: Input,
  { from, entries }: { readonly from: 'set' | 'settings'; readonly entries: string },
  problems: Problems,
): void {
  const common = value[from];
  const list = value[entries];
  if (!isMap(common) || !Array.isArray(list) || list.length === 0) return;
  const own = list.map((entry) => (isMap(entry) && isMap(entry[from]) ? entry[from] : {}));
  for (const name of Object.keys(common).filter((key) => own.every((one) => key in one))) {
    problems.add([from, name], `${name} is set by every one of the ${entries} itself`, 'key');
  }
}

/** Roles that work in none of the steps that are profiled, and steps in which none of the roles does. */
function checkProfiled(run: unknown, problems: Problems): void {
  if (!isMap(run) || run.profile === undefined) return;
  const { profile_roles: ownRoles, profile_steps: ownSteps } = run;
  const [roles, steps] = [ownRoles ?? PROFILE_DEFAULTS.roles, ownSteps ?? PROFILE_DEFAULTS.steps];
  if (!isNames(roles) || !isNames(steps)) return;
  const add = (path: PlanPath, message: string) => problems.add(['run', ...path], message);
  roles.forEach((role, i) => {
    if (ownRoles === undefined || steps.some((step) => worksIn(role, step))) return;
    add(['profile_roles', i], `there is no ${role} in ${steps.join(', ')}`);
  });
  steps.forEach((step, i) => {
    if (ownSteps === undefined || roles.some((role) => worksIn(role, step))) return;
    add(['profile_steps', i], `there is no ${roles.join(', no ')} in ${step}`);
  });
}

function worksIn(role: string, step: string): boolean {
  if (role === 'query') return isQueryStep(step);
  return role !== 'delete' || step !== 'l.i0';
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
