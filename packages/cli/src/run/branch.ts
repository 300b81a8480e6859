import { type BranchPoint, RunError, type StepPlan } from '@ibench/core';
import {
  checkKept,
  type DatabaseServer,
  type KeptData,
  keepData,
  type OwnServer,
} from '@ibench/host';
import { type NewBranch, type Store, saveBranch } from '@ibench/store';
import type { RunFolder } from './run-folder.ts';
import type { StepRange } from './run-steps.ts';

/** From which step on a run works on a copy of kept data. */
export interface BranchChoice {
  readonly after: BranchPoint;
  /** The data and the run that made it; null: this run makes it. */
  readonly kept: { readonly data: KeptData; readonly runKey: number } | null;
  /** See KeptData. */
  readonly key: string;
  readonly owner: string;
  /** Told of data that this run has made, at once: the run may still fail. */
  readonly onKept: (data: KeptData, runKey: number) => void;
}

/** What is done with a server whose steps are done. */
export type AfterSteps = (server: DatabaseServer) => Promise<void>;

/** What is known of a run that branches. */
interface Branching {
  readonly world: {
    readonly store: Store;
    readonly progress: { line(text: string): void };
    readonly signal: AbortSignal;
  };
  readonly folder: RunFolder;
  readonly runKey: number;
  readonly plan: readonly StepPlan[];
}

/** Starts a server, runs steps, and stops it. */
type Start = (range: StepRange, source: string | null, then?: AfterSteps) => Promise<void>;

/**
 * Runs the steps up to the branch point, unless there is kept data, and the others on a server that is
 * started on a copy of it. The run that makes the data goes on like all others, from a copy: a restart and
 * cold caches are part of how all of them begin.
 */
export async function workFromBranch(
  all: Branching,
  branch: BranchChoice,
  start: Start,
): Promise<void> {
  const { world, plan, runKey } = all;
  const at = plan.findIndex(({ name }) => name === branch.after) + 1;
  const [before, steps] = [plan.slice(0, at), plan.slice(at)];
  const { data, runKey: fromRunKey } = branch.kept ?? (await makeData(all, branch, before, start));
  world.signal.throwIfAborted();
  const { sha256, bytes, dataDirectory } = data;
  await checkKept(data);
  world.progress.line(
    `starting from a copy of the data after ${branch.after}, ${megabytes(bytes)}`,
  );
  const saved: NewBranch = { afterSeq: at, fromRunKey, dataSha256: sha256, dataBytes: bytes };
  saveBranch(world.store, runKey, saved);
  await start({ before, steps }, dataDirectory);
}

async function makeData(
  { folder, runKey }: Branching,
  { key, owner, onKept }: BranchChoice,
  steps: readonly StepPlan[],
  start: Start,
): Promise<{ readonly data: KeptData; readonly runKey: number }> {
  let data: KeptData | null = null;
  await start({ before: [], steps }, null, async (server) => {
    data = await keepData(asOwn(server), { runDirectory: folder.directory, key, owner });
    onKept(data, runKey);
  });
  if (data === null) throw new RunError('the data was not kept');
  return { data, runKey };
}

function asOwn(server: DatabaseServer): OwnServer {
  if ('handOver' in server) return server as OwnServer;
  throw new RunError('only the data of a server of ours can be kept');
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2).toLocaleString('en-US')} MB`;
}
