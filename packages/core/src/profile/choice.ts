import { STATEMENT_KINDS, STEP_NAMES, type StatementKind } from '../step.ts';

/** What is to be sampled in the steps of a run, and when. */
export interface ProfileChoice {
  readonly roles: readonly StatementKind[];
  /** Names of the steps. */
  readonly steps: readonly string[];
  /** Length of the window, which is in the middle of the step. */
  readonly seconds: number;
  readonly frequencyHz: number;
}

/** What can sample stacks. */
export const PROFILERS = ['perf'] as const;

/** Steps that can be profiled. In the others the runner itself works, on connections of its own. */
export const PROFILE_STEPS: readonly string[] = STEP_NAMES.filter(
  (step) => step !== 'l.x' && step !== 'settle',
);

/** What is sampled where nothing else is said. */
export const PROFILE_DEFAULTS: ProfileChoice = {
  roles: STATEMENT_KINDS,
  steps: PROFILE_STEPS,
  seconds: 10,
  frequencyHz: 99,
};

/** Least and most of what can be chosen. */
export const PROFILE_BOUNDS = { seconds: [1, 600], frequencyHz: [1, 999] } as const;
