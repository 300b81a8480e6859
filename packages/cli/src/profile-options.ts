import { STATEMENT_KINDS, STEP_NAMES, type StatementKind, UsageError } from '@ibench/core';
import { checkPerf } from '@ibench/host';
import type { Options } from 'yargs';
import type { ServerChoice } from './server-choice.ts';

/** What the user may say about profiles. */
export const PROFILE_OPTIONS = {
  profile: {
    choices: ['perf'] as const,
    describe:
      'sample the stacks of the backends in a window of each step, for ibench flamegraph; it costs throughput',
  },
  'profile-role': {
    type: 'string',
    default: STATEMENT_KINDS.join(','),
    describe: 'with --profile: backends to sample, by role',
  },
  'profile-step': {
    type: 'string',
    describe: 'with --profile: steps, such as l.i1,qr100 (default: all in which workers run)',
  },
  'profile-seconds': {
    type: 'number',
    requiresArg: true,
    default: 10,
    describe: 'with --profile: length of the window, in the middle of the step',
  },
  'profile-frequency': {
    type: 'number',
    requiresArg: true,
    default: 99,
    describe: 'with --profile: samples per second of CPU',
  },
} as const satisfies Record<string, Options>;

/** What is to be sampled, and when. */
export interface ProfileChoice {
  readonly roles: readonly StatementKind[];
  /** Names of the steps. */
  readonly steps: readonly string[];
  readonly seconds: number;
  readonly frequencyHz: number;
}

interface ProfileArguments {
  readonly profile: 'perf' | undefined;
  readonly profileRole: string;
  readonly profileStep: string | undefined;
  readonly profileSeconds: number;
  readonly profileFrequency: number;
}

/** In the others the runner itself works, on connections of its own. */
const STEPS = STEP_NAMES.filter((step) => step !== 'l.x' && step !== 'settle');

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
  if (!(seconds >= 1 && seconds <= 600)) {
    throw new UsageError(`--profile-seconds ${seconds}: expected from 1 to 600 seconds`);
  }
  if (!(Number.isInteger(frequencyHz) && frequencyHz >= 1 && frequencyHz <= 999)) {
    throw new UsageError(
      `--profile-frequency ${frequencyHz}: expected a whole number from 1 to 999`,
    );
  }
  const choice = {
    roles: namesFrom('--profile-role', args.profileRole, STATEMENT_KINDS),
    steps: namesFrom('--profile-step', args.profileStep ?? STEPS.join(), STEPS),
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
