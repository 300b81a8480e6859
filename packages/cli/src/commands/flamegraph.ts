import path from 'node:path';
import { foldedText, type RunProfile, UsageError } from '@ibench/core';
import {
  type FlameGraph,
  flamePage,
  graphOf,
  groupName,
  groupProfiles,
  groupStacks,
  type ProfileGroup,
  sameGroup,
} from '@ibench/flamegraph';
import { listRuns, loadProfiles, type Store } from '@ibench/store';
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
  const groups = groupProfiles(chosenProfiles(store, args, args.run));
  if (args.format === 'folded') {
    const [only, ...others] = groups;
    if (only !== undefined && others.length === 0) return foldedText(groupStacks(only));
    throw new UsageError(
      `--format folded: expected one step and role, the run has ${groups.map(groupName).join(', ')}; choose with --step and --role`,
    );
  }
  const bases =
    args.diff === undefined ? null : groupProfiles(chosenProfiles(store, args, args.diff));
  const graphs = groups.flatMap((group) => {
    const base = bases === null ? null : sameGroup(bases, group);
    return bases !== null && base === null ? [] : [graphOfRun(group, base)];
  });
  if (graphs.length === 0) {
    throw new UsageError(
      `--diff: expected a run with a profile of ${groups.map(groupName).join(' or ')}; ${args.diff} has ${(bases ?? []).map(groupName).join(', ')}`,
    );
  }
  const title = `Flame graphs of ${args.run}${args.diff === undefined ? '' : ` compared with ${args.diff}`}`;
  return flamePage({ title, graphs });
}

function graphOfRun(group: ProfileGroup, base: ProfileGroup | null): FlameGraph {
  const [{ tag, step, role }] = group;
  const against = base === null ? '' : ` compared with ${base[0].tag}`;
  return graphOf(`${step}, ${role}: ${tag}${against}`, group, base);
}

/** @throws UsageError when there is no such run, or it has no such profile, or none at all */
function chosenProfiles(
  store: Store,
  { step, role, client }: FlamegraphArguments,
  name: string,
): RunProfile[] {
  const runs = chosenRuns([name], listRuns(store)).map((runId) => loadProfiles(store, runId));
  const all = runs.findLast((profiles) => profiles.length > 0) ?? [];
  if (all.length === 0) {
    throw new UsageError(`${name} was not profiled: ibench run --profile perf does that`);
  }
  const found = all.filter(
    (profile) =>
      (step === undefined || profile.step === step) &&
      (role === undefined || profile.role === role) &&
      (client === undefined || profile.client === client),
  );
  if (found.length > 0) return found;
  const known = all.map((one) => `${one.step} ${one.role} client ${one.client}`).join(', ');
  throw new UsageError(`${name} has no such profile; expected one of: ${known}`);
}
