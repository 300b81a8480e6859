import path from 'node:path';
import { foldedText, mergeStacks, RunError, totalSamples, UsageError } from '@ibench/core';
import { type FlameGraph, flamePage } from '@ibench/flamegraph';
import { listRuns, loadProfiles, type Store, type StoredProfile } from '@ibench/store';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { humanTerminal, printResult } from '../environment.ts';
import { chosenRuns } from '../load-report.ts';
import { writeWholeText } from '../write-whole.ts';
import { STORE_OPTIONS } from './run-options.ts';
import { withStore } from './with-store.ts';

const FLAMEGRAPH_OPTIONS = {
  ...STORE_OPTIONS,
  run: {
    type: 'string',
    demandOption: true,
    describe: 'run id, or tag: the last run with it that has profiles',
  },
  step: { type: 'string', describe: 'only this step (default: a graph for each)' },
  role: { type: 'string', describe: 'insert, delete or query (default: a graph for each)' },
  client: {
    type: 'number',
    requiresArg: true,
    describe: 'only this client (default: all, added up)',
  },
  diff: {
    type: 'string',
    describe: 'run id or tag to compare with, as the base: colours are changes of shares',
  },
  format: {
    choices: ['html', 'folded'] as const,
    default: 'html' as const,
    describe: 'an interactive page, or folded stacks as speedscope and others read them',
  },
  out: { type: 'string', describe: 'file to write to (default: standard output)' },
} as const satisfies Record<string, Options>;

type FlamegraphArguments = InferredOptionTypes<typeof FLAMEGRAPH_OPTIONS>;

/** `ibench flamegraph`: what was sampled with `ibench run --profile perf`, as a picture. */
export const flamegraphCommand: CommandModule<object, FlamegraphArguments> = {
  command: 'flamegraph',
  describe: 'Draw flame graphs of a run that was profiled, or of the difference of two',
  builder: (yargs) =>
    yargs
      .options(FLAMEGRAPH_OPTIONS)
      .example(
        'ibench flamegraph --run pg18.4.base --step l.i1 --role delete --out delete.html',
        'where the delete backends spend their CPU',
      )
      .example(
        'ibench flamegraph --run pg18.4.base --diff pg17.9.base --out diff.html',
        'what became more and what less from 17.9 to 18.4, for each step and role',
      )
      .example(
        'ibench flamegraph --run pg18.4.base --step l.i2 --role insert --format folded | speedscope -',
        'for another viewer',
      ),
  handler: (args) => {
    if (args.format === 'folded' && args.diff !== undefined) {
      throw new UsageError('--diff: expected --format html; folded stacks are of one run');
    }
    return withStore(args, (store) => write(args, text(store, args)));
  },
};

async function write({ out }: FlamegraphArguments, content: string): Promise<void> {
  if (out === undefined) return printResult(content);
  const file = path.resolve(out);
  const bytes = await writeWholeText(file, content);
  humanTerminal().write(`${bytes.toLocaleString('en-US')} bytes in ${file}\n`);
}

function text(store: Store, args: FlamegraphArguments): string {
  const profiles = chosenProfiles(store, args, args.run);
  const groups = byStepAndRole(profiles);
  if (args.format === 'folded') {
    if (groups.length === 1) return foldedText(mergeStacks(profiles.map(({ stacks }) => stacks)));
    throw new UsageError(
      `--format folded: expected one step and role, the run has ${groups.map(nameOf).join(', ')}; choose with --step and --role`,
    );
  }
  const bases =
    args.diff === undefined ? null : byStepAndRole(chosenProfiles(store, args, args.diff));
  const graphs = groups.flatMap((group) => {
    const base = bases?.find((one) => nameOf(one) === nameOf(group)) ?? null;
    return bases !== null && base === null ? [] : [graphOf(group, base)];
  });
  if (graphs.length === 0) {
    throw new RunError('the two runs have no profile of the same step and role');
  }
  const title = `Flame graphs of ${args.run}${args.diff === undefined ? '' : ` compared with ${args.diff}`}`;
  return flamePage({ title, graphs });
}

/** Profiles of one step and role, of all clients that were asked for. */
type Group = readonly [StoredProfile, ...StoredProfile[]];

function byStepAndRole(profiles: readonly StoredProfile[]): Group[] {
  const groups = new Map<string, [StoredProfile, ...StoredProfile[]]>();
  for (const profile of profiles) {
    const key = `${profile.step} ${profile.role}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [profile]);
    else group.push(profile);
  }
  return [...groups.values()];
}

function nameOf([{ step, role }]: Group): string {
  return `${step} ${role}`;
}

function graphOf(group: Group, base: Group | null): FlameGraph {
  const [{ tag, step, role }] = group;
  const against = base === null ? '' : ` compared with ${base[0].tag}`;
  const sides = base === null ? [group] : [group, base];
  return {
    title: `${step}, ${role}: ${tag}${against}`,
    notes: [
      'Time on a CPU, kernel included where perf may see it; time spent waiting is not in the picture.',
      ...sides.map(describe),
    ],
    stacks: stacksOf(group),
    base: base === null ? null : stacksOf(base),
  };
}

function stacksOf(group: Group): StoredProfile['stacks'] {
  return mergeStacks(group.map(({ stacks }) => stacks));
}

/** Samples below which shares say little: one of 5% is then uncertain by a quarter of itself. */
const MANY_SAMPLES = 300;

function describe(group: Group): string {
  const [{ runId, tag, event, callGraph, frequencyHz, fromS, toS }] = group;
  const samples = totalSamples(stacksOf(group));
  const clients = group.length === 1 ? `client ${group[0].client}` : `${group.length} clients`;
  const few = samples < MANY_SAMPLES ? '; few samples: small shares are chance' : '';
  return `${tag} (${runId}), ${clients}: ${samples} samples of ${event} at ${frequencyHz} Hz from second ${fromS.toFixed(1)} to ${toS.toFixed(1)} of the step, stacks by ${callGraph}${few}`;
}

/** @throws UsageError when there is no such run, RunError when it has no such profile */
function chosenProfiles(
  store: Store,
  { step, role, client }: FlamegraphArguments,
  name: string,
): StoredProfile[] {
  const runs = chosenRuns([name], listRuns(store)).map((runId) => loadProfiles(store, runId));
  const all = runs.findLast((profiles) => profiles.length > 0) ?? [];
  if (all.length === 0) {
    throw new RunError(`${name} was not profiled: ibench run --profile perf does that`);
  }
  const found = all.filter(
    (profile) =>
      (step === undefined || profile.step === step) &&
      (role === undefined || profile.role === role) &&
      (client === undefined || profile.client === client),
  );
  if (found.length > 0) return found;
  const known = all.map((one) => `${one.step} ${one.role} client ${one.client}`).join(', ');
  throw new RunError(`${name} has no such profile; it has ${known}`);
}
