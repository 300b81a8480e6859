import path from 'node:path';
import { parseDuration, UsageError } from '@ibench/core';
import type { ArgumentsCamelCase, Argv, CommandModule, InferredOptionTypes, Options } from 'yargs';
import { buildsDirectory } from '../environment.ts';
import { nothingStarted } from '../nothing-started.ts';
import { STORE_NAME } from '../paths.ts';
import { type CarryOutChoice, carryOut } from '../plan/carry-out.ts';
import { loadPlan } from '../plan/load-plan.ts';
import { LIMIT_OPTIONS, readLimits } from './limits.ts';
import { checkFolder, commandLine } from './run.ts';
import { BUILDS_OPTIONS, RUNNER_OPTIONS, STORE_OPTIONS } from './run-options.ts';

const COMMON_OPTIONS = {
  budget: {
    type: 'string',
    requiresArg: true,
    describe: "start no run that cannot end within this time, such as 6h (default: the plan's)",
  },
  ...BUILDS_OPTIONS,
  ...LIMIT_OPTIONS,
  ...RUNNER_OPTIONS,
  ...STORE_OPTIONS,
} as const satisfies Record<string, Options>;

const RUN_OPTIONS = {
  again: {
    type: 'boolean',
    default: false,
    describe: 'begin anew although the plan was begun before; its earlier runs stay in the store',
  },
  ...COMMON_OPTIONS,
} as const satisfies Record<string, Options>;

const RESUME_OPTIONS = {
  'retry-failed': {
    type: 'boolean',
    default: false,
    describe: 'do runs again that have failed as often as the plan lets them',
  },
  ...COMMON_OPTIONS,
} as const satisfies Record<string, Options>;

interface File {
  readonly file: string;
}

type Common = ArgumentsCamelCase<InferredOptionTypes<typeof COMMON_OPTIONS> & File>;

const EXIT_CODES =
  'Exit codes: 0 all runs are done, 1 some failed, 2 nothing was started, 3 the budget left runs to do, 130 interrupted.';

/** `ibench plan run`: begins a plan. */
export const planRunCommand: CommandModule<object, InferredOptionTypes<typeof RUN_OPTIONS> & File> =
  {
    command: 'run <file>',
    describe: 'Run a plan to its end, whatever single runs do, and print the tables',
    builder: (yargs) =>
      withFile(yargs)
        .options(RUN_OPTIONS)
        .example('ibench plan run nightly.yaml', 'all runs of the plan')
        .example('ibench plan run nightly.yaml --budget 6h', 'as many as fit into the night')
        .epilogue(EXIT_CODES),
    handler: async (args) => {
      await start(args, { mode: 'run', again: args.again, retryFailed: false });
    },
  };

/** `ibench plan resume`: goes on with a plan. */
export const planResumeCommand: CommandModule<
  object,
  InferredOptionTypes<typeof RESUME_OPTIONS> & File
> = {
  command: 'resume <file>',
  describe: 'Go on with a plan that was interrupted, killed or stopped; runs that are done stay',
  builder: (yargs) =>
    withFile(yargs)
      .options(RESUME_OPTIONS)
      .example('ibench plan resume nightly.yaml', 'what is left of the plan')
      .epilogue(EXIT_CODES),
  handler: async (args) => {
    await start(args, { mode: 'resume', again: false, retryFailed: args.retryFailed });
  },
};

function withFile(yargs: Argv): Argv<File> {
  return yargs.positional('file', {
    type: 'string',
    demandOption: true,
    describe: 'plan (YAML)',
  });
}

async function start(
  args: Common,
  how: Pick<CarryOutChoice, 'mode' | 'again' | 'retryFailed'>,
): Promise<void> {
  const budgetSeconds = readBudget(args.budget);
  const runsDirectory = checkFolder('--runs-dir', args.runsDir);
  const loaded = await nothingStarted(
    loadPlan(args.file, {
      buildsDirectory: buildsDirectory(args.buildsDir),
      runsDirectory,
      allowExec: args.allowExec,
    }),
  );
  process.exitCode = await carryOut(loaded, {
    ...how,
    file: args.file,
    store: path.resolve(args.db ?? path.join(args.runsDir, STORE_NAME)),
    runsDirectory,
    commandLine: commandLine(),
    limits: readLimits(args),
    canary: args.canary,
    allowConcurrent: args.allowConcurrent,
    budgetSeconds,
  });
}

function readBudget(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = parseDuration(text);
  if (seconds !== null && seconds > 0) return seconds;
  throw new UsageError(
    `--budget ${text}: expected a duration with its unit, such as 30s, 90m, 6h or 1h30m`,
  );
}
