import { z } from 'zod';
import {
  PROFILE_BOUNDS,
  PROFILE_DEFAULTS,
  PROFILE_STEPS,
  PROFILERS,
  type ProfileChoice,
} from '../profile/choice.ts';
import { STATEMENT_KINDS, type StatementKind } from '../step.ts';
import type { Problems } from './problem.ts';
import { isMap } from './read-map.ts';
import { wholeNumber } from './whole-number.ts';

const [LEAST_S, MOST_S] = PROFILE_BOUNDS.seconds;
const seconds = `expected from ${LEAST_S} to ${MOST_S} seconds`;

type Key<T> = z.ZodOptional<z.ZodType<T>>;

/** The keys of `run` that say what is sampled. */
export const PROFILE_KEYS: {
  readonly profile: Key<(typeof PROFILERS)[number]>;
  readonly profile_roles: Key<StatementKind[]>;
  readonly profile_steps: Key<string[]>;
  readonly profile_seconds: Key<number>;
  readonly profile_frequency: Key<number>;
} = {
  profile: z.enum(PROFILERS, { error: `expected ${PROFILERS.join(' or ')}` }).optional(),
  profile_roles: namesOf(STATEMENT_KINDS).optional(),
  profile_steps: namesOf(PROFILE_STEPS).optional(),
  profile_seconds: z
    .number({ error: seconds })
    .min(LEAST_S, { error: seconds })
    .max(MOST_S, { error: seconds })
    .optional(),
  profile_frequency: wholeNumber(...PROFILE_BOUNDS.frequencyHz).optional(),
};

type ProfileValues = z.infer<z.ZodObject<typeof PROFILE_KEYS>>;

/** What these keys ask for; null: nothing is sampled. */
export function profileChoice(read: ProfileValues): ProfileChoice | null {
  if (read.profile === undefined) return null;
  return {
    roles: read.profile_roles ?? PROFILE_DEFAULTS.roles,
    steps: read.profile_steps ?? PROFILE_DEFAULTS.steps,
    seconds: read.profile_seconds ?? PROFILE_DEFAULTS.seconds,
    frequencyHz: read.profile_frequency ?? PROFILE_DEFAULTS.frequencyHz,
  };
}

/** Collects the keys that say how to sample where nothing says that it is to be done. */
export function checkProfileKeys(run: unknown, problems: Problems): void {
  if (!isMap(run) || run.profile !== undefined) return;
  const idle = Object.keys(PROFILE_KEYS).filter((key) => run[key] !== undefined);
  for (const key of idle) {
    problems.add(['run', key], `${key} without a profile: expected "profile: perf" too`, 'key');
  }
}

function namesOf<T extends string>(known: readonly T[]): z.ZodType<T[]> {
  const error = `expected a list of some of ${known.join(', ')}`;
  return z.array(z.enum(known, { error }), { error }).min(1, { error });
}
