import { RunError, UsageError } from '@ibench/core';
import yargs, { type CommandModule } from 'yargs';
import { joinFlagValues } from './flag-values.ts';
import { toolVersion } from './paths.ts';

/** Exit codes, documented in the README. */
const EXIT = { failed: 1, usage: 2 } as const;

/** The command line, values that look like options joined to their options. */
const WORDS = joinFlagValues(process.argv.slice(2));

// Each has its own options.
// biome-ignore lint/suspicious/noExplicitAny: no type holds all of them; yargs says any, too
type AnyCommand = CommandModule<object, any>;

/** The commands in the order of the help. Most of a start is loading code: only the one that is given is loaded. */
const COMMANDS: Readonly<Record<string, () => Promise<AnyCommand>>> = {
  run: async () => (await import('./commands/run.ts')).runCommand,
  table: async () => (await import('./commands/table.ts')).tableCommand,
  report: async () => (await import('./commands/report.ts')).reportCommand,
  chart: async () => (await import('./commands/chart.ts')).chartCommand,
  compare: async () => (await import('./commands/compare.ts')).compareCommand,
  'sweep-summary': async () => (await import('./commands/sweep-summary.ts')).sweepSummaryCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  flamegraph: async () => (await import('./commands/flamegraph.ts')).flamegraphCommand,
  plan: async () => (await import('./commands/plan.ts')).planCommand,
  configs: async () => (await import('./commands/configs.ts')).configsCommand,
  builds: async () => (await import('./commands/builds.ts')).buildsCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  selftest: async () => (await import('./commands/selftest.ts')).selftestCommand,
};

/** The command that comes first, else all of them: for the help, and to guess what was meant. */
function chosenCommands(): Promise<AnyCommand[]> {
  const [word = ''] = WORDS;
  const chosen = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  return Promise.all(
    (chosen === undefined ? Object.values(COMMANDS) : [chosen]).map((load) => load()),
  );
}

async function main(): Promise<void> {
  const cli = yargs(WORDS)
    .scriptName('ibench')
    .usage(
      '$0 <command>\n\nRuns the Insert Benchmark on Postgres and tells, with evidence, what got slower.',
    )
    .command(await chosenCommands())
    .demandCommand(1, 1, 'Expected a command')
    .strict(true)
    .recommendCommands()
    .check(refuseSlips)
    .version(toolVersion())
    .help()
    .alias('help', 'h')
    .wrap(Math.min(110, process.stdout.columns ?? 110))
    .epilogue('Exit codes: 0 done, 1 failed, 2 nothing was started, 130 interrupted.')
    .fail((message, error) => {
      throw error === undefined || error.name === 'YError'
        ? new UsageError(`${message ?? error?.message}\nSee ibench --help`)
        : error;
    });
  await cli.parseAsync();
}

/** Options that may be given more than once; of every other a second one is a slip of the pen. */
const REPEATABLE = new Set([
  'only',
  ...['_', 'set', 'device', 'run', 'step', 'table'],
  ...['versions', 'names', 'configure'],
]);

/** yargs takes an option without its value for an empty text, for 0, or for no number. */
function refuseSlips(args: Record<string, unknown>): true {
  const empty = WORDS.find((word) => /^--[\w-]+=$/.test(word));
  if (empty !== undefined) throw new UsageError(`${empty.slice(0, -1)} needs a value`);
  for (const [name, value] of Object.entries(args)) {
    if (Array.isArray(value) && !REPEATABLE.has(name)) {
      throw new UsageError(
        `--${name} was given ${value.length} times: ${value.join(', ')}; expected once`,
      );
    }
    const values = Array.isArray(value) ? value : [value];
    if (Number.isNaN(value)) throw new UsageError(notANumber(name));
    if (name !== '$0' && values.includes('')) throw new UsageError(`--${name} needs a value`);
  }
  return true;
}

/** yargs keeps no text that it could not read as a number. */
function notANumber(name: string): string {
  const option = `--${name}`;
  const at = WORDS.findIndex((word) => word === option || word.startsWith(`${option}=`));
  const given = WORDS[at] === option ? WORDS[at + 1] : WORDS[at]?.slice(option.length + 1);
  return given ? `--${name} ${given}: expected a number` : `--${name} needs a value`;
}

try {
  await main();
} catch (error) {
  if (error instanceof UsageError || error instanceof RunError)
    console.error(`ibench: ${error.message}`);
  else console.error(error);
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
}
