import fs from 'node:fs';
import path from 'node:path';
import { describeWorkload, shellWord, UsageError } from '@ibench/core';
import { checkDevices } from '@ibench/host';
import { buildReport, render } from '@ibench/report';
import { loadRuns } from '@ibench/store';
import type { CommandModule, InferredOptionTypes } from 'yargs';
import { printResult, wantsColour } from '../environment.ts';
import { hidePassword } from '../hide-password.ts';
import { labelOf, readLoadOptions } from '../load-options.ts';
import { nothingStarted } from '../nothing-started.ts';
import { STORE_NAME } from '../paths.ts';
import { readProfileOptions } from '../profile-options.ts';
import { type NamedWorkload, parseOverride, readWorkload } from '../read-workload.ts';
import { messageOf } from '../run/failure.ts';
import type { Progress } from '../run/progress.ts';
import { type RunOutcome, runBenchmark } from '../run/run-benchmark.ts';
import { checkTag, type RunOptions } from '../run/run-options.ts';
import { withSession } from '../run/session.ts';
import { chooseServer, isDebugBuild, namesOf } from '../server-choice.ts';
import { readLimits } from './limits.ts';
import { RUN_OPTIONS, type RunArguments } from './run-options.ts';

/** `ibench run`: all steps of the benchmark once. */
export const runCommand: CommandModule<object, InferredOptionTypes<typeof RUN_OPTIONS>> = {
  command: 'run',
  describe:
    'Run the Insert Benchmark once, on a server of its own or one that runs, and print the tables',
  builder: (yargs) =>
    yargs
      .options(RUN_OPTIONS)
      .example('ibench run --preset tiny', 'the whole benchmark in under a minute')
      .example('ibench run --clients 4 --set rows=1000000', 'four clients, a million rows each')
      .example('ibench run --build pg17.9', 'another Postgres (ibench builds install 17.9)')
      .example('ibench run --build /usr/lib/postgresql/15 --tag debian15', 'one that is there')
      .example(
        'PGPASSWORD=… ibench run --server postgres://me@db1/bench --server-ssh db1',
        'a server that runs already, its host read over ssh',
      )
      .example(
        'ibench run --profile perf --profile-step l.i1,l.i2 --profile-role delete',
        'with a profile of the delete backends, for ibench flamegraph',
      )
      .epilogue(
        `Workload parameters (--set name=value, or a file), with their defaults:\n${parameters()}`,
      ),
  handler: async (args) => {
    process.exitCode = await run(args);
  },
};

function parameters(): string {
  return describeWorkload()
    .map(({ name, fallback, meaning }) => `  ${name.padEnd(28)} ${fallback.padEnd(10)} ${meaning}`)
    .join('\n');
}

async function run(args: RunArguments): Promise<number> {
  const options = await nothingStarted(decide(args));
  const session = {
    store: path.resolve(args.db ?? path.join(args.runsDir, STORE_NAME)),
    runsDirectory: options.runsDirectory,
    commandLine: options.commandLine,
    allowConcurrent: args.allowConcurrent,
  };
  return withSession(session, async (world) => {
    const { store, progress } = world;
    const { workload, name } = options.workload;
    progress.line(
      `ibench: ${options.tag}, workload ${name}, ${workload.clients} client${workload.clients === 1 ? '' : 's'}, ${workload.rows.toLocaleString('en-US')} rows per table`,
    );
    warnOfDebugBuild(options, progress);
    const outcome = await runBenchmark(options, world);
    const runs = loadRuns(store, { runIds: [outcome.runId] });
    await printResult(render(buildReport(runs), 'text', { colour: wantsColour() }));
    return conclude(outcome, progress, store.path);
  });
}

/** Checks everything that can be checked before anything starts. */
async function decide(args: RunArguments): Promise<RunOptions> {
  const workload = chooseWorkload(args);
  const load = readLoadOptions(args, workload.workload);
  const server = await chooseServer(args, workload);
  const { build, config } = namesOf(server);
  if (server.kind === 'own') checkDevices(args.device);
  return {
    server,
    workload,
    ...load,
    tag: labelOf(checkTag(args.tag ?? `${build}.${config}`), load, isDebugBuild(server)),
    runsDirectory: checkFolder('--runs-dir', args.runsDir),
    devices: args.device,
    activityIntervalS: checkInterval(args.activityInterval),
    profile: await readProfileOptions(args, server),
    commandLine: commandLine(),
    planRunKey: null,
    branch: null,
    limits: readLimits(args),
    canary: args.canary,
  };
}

function warnOfDebugBuild({ server }: RunOptions, progress: Progress): void {
  if (server.kind !== 'own' || !server.build.isDebug) return;
  const { name, debugReasons } = server.build;
  progress.line(`warning: build ${name} is for finding bugs: ${debugReasons.join(', ')}`);
}

/** The preset or file, changed by what was set; what is said twice is refused. */
function chooseWorkload(args: RunArguments): NamedWorkload {
  if (args.preset !== undefined && args.workload !== undefined) {
    throw new UsageError(`--preset ${args.preset} and --workload ${args.workload}: give one`);
  }
  const entries = args.set.map(parseOverride);
  for (const name of ['clients', 'queriers'] as const) {
    const count = args[name];
    if (count !== undefined) entries.push([name, count]);
  }
  const overrides: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    if (name in overrides) {
      throw new UsageError(`${name} was set twice: to ${overrides[name]} and to ${value}`);
    }
    overrides[name] = value;
  }
  return readWorkload({ name: args.workload ?? args.preset ?? 'quick', overrides });
}

/** How ibench was called, without passwords, as words of a shell. */
export function commandLine(): string {
  return process.argv.slice(2).map(hidePassword).map(shellWord).join(' ');
}

/** A sample takes about a millisecond: more than ten of them a second would be load. */
function checkInterval(seconds: number): number {
  if (seconds === 0 || (seconds >= 0.1 && seconds <= 60)) return seconds;
  throw new UsageError(
    `--activity-interval ${seconds}: expected 0 (no samples), or from 0.1 to 60 seconds`,
  );
}

/** A folder that is there or can be made. */
export function checkFolder(option: string, name: string): string {
  const folder = path.resolve(name);
  if (fs.existsSync(folder) && !fs.statSync(folder).isDirectory()) {
    throw new UsageError(`${option} ${name}: expected a folder, this is a file`);
  }
  return folder;
}

function conclude(outcome: RunOutcome, progress: Progress, store: string): number {
  const { runId, directory, status, error } = outcome;
  if (status === 'done') {
    progress.line(`run ${runId} is done: results in ${store}, logs in ${directory}`);
    return 0;
  }
  progress.line(
    `run ${runId} ${status === 'failed' ? 'failed' : 'was interrupted'}: ${messageOf(error)}`,
  );
  progress.line(`its finished steps, if any, are in ${store}, logs in ${directory}`);
  return status === 'failed' ? 1 : 130;
}
