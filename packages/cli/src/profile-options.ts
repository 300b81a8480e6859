import {
  PROFILE_BOUNDS,
  PROFILE_DEFAULTS,
  PROFILE_STEPS,
  PROFILERS,
  type ProfileChoice,
  STATEMENT_KINDS,
  UsageError,
} from '@ibench/core';
import { checkPerf } from '@ibench/host';
import type { Options } from 'yargs';
import type { ServerChoice } from './server-choice.ts';

/** What the user may say about profiles. */
export const PROFILE_OPTIONS = {
  profile: {
    choices: PROFILERS,
    describe:
      'sample the stacks of the backends in a window of each step, for ibench flamegraph; it costs throughput',
  },
  'profile-role': {
    type: 'string',
    default: PROFILE_DEFAULTS.roles.join(','),
    describe: 'with --profile: backends to sample, by role',
  },
  'profile-step': {
    type: 'string',
    describe: 'with --profile: steps, such as l.i1,qr100 (default: all in which workers run)',
  },
  'profile-seconds': {
    type: 'number',
    requiresArg: true,
    default: PROFILE_DEFAULTS.seconds,
    describe: 'with --profile: length of the window, in the middle of the step',
  },
  'profile-frequency': {
    type: 'number',
    requiresArg: true,
    default: PROFILE_DEFAULTS.frequencyHz,
    describe: 'with --profile: samples per second of CPU',
  },
} as const satisfies Record<string, Options>;

interface ProfileArguments {
  readonly profile: (typeof PROFILERS)[number] | undefined;
  readonly profileRole: string;
  readonly profileStep: string | undefined;
  readonly profileSeconds: number;
  readonly profileFrequency: number;
}

/**
 * Checks what the user said about profiles, and that perf can be used.
 *
 * @returns null: no profiles are asked for
 * @throws UsageError for what is not possible
 */
export async function readProfileOptions(
  args: ProfileArguments,
  server: ServerChoice,
): Promise<ProfileChoice | null> {
  if (args.profile === undefined) {
    if (args.profileStep === undefined) return null;
    throw new UsageError('--profile-step: expected --profile perf too');
  }
  const { profileSeconds: seconds, profileFrequency: frequencyHz } = args;
  const [leastS, mostS] = PROFILE_BOUNDS.seconds;
  if (!(seconds >= leastS && seconds <= mostS)) {
    throw new UsageError(
      `--profile-seconds ${seconds}: expected from ${leastS} to ${mostS} seconds`,
    );
  }
  const [leastHz, mostHz] = PROFILE_BOUNDS.frequencyHz;
  if (!(Number.isInteger(frequencyHz) && frequencyHz >= leastHz && frequencyHz <= mostHz)) {
    throw new UsageError(
      `--profile-frequency ${frequencyHz}: expected a whole number from ${leastHz} to ${mostHz}`,
    );
  }
  const choice = {
    roles: namesFrom('--profile-role', args.profileRole, STATEMENT_KINDS),
    steps: namesFrom('--profile-step', args.profileStep ?? PROFILE_STEPS.join(), PROFILE_STEPS),
    seconds,
    frequencyHz,
  };
  if (server.kind === 'external' && server.ssh !== null) {
    throw new UsageError('--profile perf: the server of --server-ssh does not run on this host');
  }
  await checkPerf();
  return choice;
}

function namesFrom<T extends string>(option: string, text: string, known: readonly T[]): T[] {
  return text.split(',').map((name) => {
    const found = known.find((one) => one === name.trim());
    if (found !== undefined) return found;
    throw new UsageError(`${option} ${text}: no "${name}" (expected some of ${known.join(', ')})`);
  });
}
