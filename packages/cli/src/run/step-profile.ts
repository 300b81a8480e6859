import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cutAt, isWindowDue, mergeStacks, type StepProfile } from '@ibench/core';
import { foldRecording, type Recording, recordStacks } from '@ibench/host';
import { addWarning, saveProfiles } from '@ibench/store';
import { shareDone } from './describe-load.ts';
import { messageOf } from './failure.ts';
import { type LiveStep, lengthS } from './live-step.ts';
import type { Profiler } from './profiler.ts';

/** perf's data, until it is folded; in the step's folder. */
export const PERF_DATA = 'perf.data';

/** The profile of a step while it is made. */
export interface ProfileOfStep {
  /** Begins to watch for the window; to be called when the step has started. */
  start(): void;
  /** The step is over: nothing is sampled any more. */
  stop(): Promise<void>;
  /** Folds and keeps what was sampled, and marks the step. */
  keep(): Promise<void>;
  /** Ends perf and removes its data; what was kept stays. */
  close(): Promise<void>;
}

const NO_PROFILE: ProfileOfStep = {
  start: () => {},
  stop: async () => {},
  keep: async () => {},
  close: async () => {},
};

/** Makes the profile of a step whose workers have connected; it does nothing where none is asked for. */
export function openProfile(live: LiveStep): ProfileOfStep {
  const { context, step } = live;
  const { profiler } = context;
  if (profiler === null || !profiler.steps.includes(step.name)) return NO_PROFILE;
  const backends = profiledBackends(live, profiler);
  if (backends.size === 0) return NO_PROFILE;
  const file = path.join(context.directory, step.name, PERF_DATA);
  const over = new AbortController();
  let recording: Promise<Recording | null> = Promise.resolve(null);
  const stop = async (): Promise<void> => {
    over.abort();
    await recording.catch(() => {});
  };
  return {
    start: () => {
      const pids = [...backends.keys()];
      recording = record(live, profiler, { pids, file, over: over.signal });
      recording.catch(() => {});
    },
    stop,
    keep: () => keep(live, profiler, { recording, file, backends }),
    close: async () => {
      await stop();
      fs.rmSync(file, { force: true });
    },
  };
}

interface Recorded {
  readonly recording: Promise<Recording | null>;
  readonly file: string;
  readonly backends: ReadonlyMap<number, Profiled>;
}

/** A profile that fails is a warning: the step was measured all the same. */
async function keep(
  live: LiveStep,
  profiler: Profiler,
  { recording, file, backends }: Recorded,
): Promise<void> {
  const { context, step, stepKey } = live;
  const warn = (text: string): void => {
    context.log.warn({ step: step.name }, text);
    addWarning(context.store, stepKey, text);
  };
  try {
    const recorded = await recording;
    // perf was told to end only when the counters of the step had been read.
    const endNs = live.startNs + lengthS(live) * 1e9;
    const within = recorded === null ? null : cutAt(recorded, endNs);
    if (recorded === null || within === null)
      return warn('no profile: the step was over before perf recorded');
    const { cutBy } = recorded;
    const folded = await foldRecording(file, { ...within, cutBy }, context.signal);
    const { event, byPid, window, warnings } = folded;
    const { callGraph, frequencyHz } = profiler;
    const described = {
      event,
      callGraph,
      frequencyHz,
      fromS: (window.fromNs - live.startNs) / 1e9,
      toS: (window.toNs - live.startNs) / 1e9,
    };
    const profiles = foldedProfiles(byPid, backends).map((one) => ({ ...described, ...one }));
    saveProfiles(context.store, stepKey, profiles);
    const roles = new Set([...backends.values()].map(({ role }) => role));
    const silent = [...roles].filter((role) => profiles.every((one) => one.role !== role));
    warn(describeWindow(described, { askedS: profiler.seconds, cutBy, silent }));
    for (const text of warnings) warn(text);
  } catch (error) {
    context.signal.throwIfAborted();
    warn(`no profile: ${messageOf(error)}`);
  }
}

/** How often it is looked whether the window has come. */
const LOOK_MS = 100;

/** @returns null: the step ended before perf recorded */
async function record(
  live: LiveStep,
  { callGraph, frequencyHz, seconds }: Profiler,
  { pids, file, over }: { pids: number[]; file: string; over: AbortSignal },
): Promise<Recording | null> {
  for (;;) {
    const elapsedS = (Number(process.hrtime.bigint()) - live.startNs) / 1e9;
    if (isWindowDue(elapsedS, shareDone(live.step, elapsedS, live.seconds), seconds)) break;
    await sleep(LOOK_MS, undefined, { signal: over }).catch(() => {});
    if (over.aborted) return null;
  }
  return await recordStacks({ pids, callGraph, frequencyHz, seconds, file }, over);
}

interface Profiled {
  readonly client: number;
  readonly role: string;
}

function profiledBackends(live: LiveStep, { roles }: Profiler): Map<number, Profiled> {
  const backends = new Map<number, Profiled>();
  live.jobs.forEach(({ role, client }, i) => {
    const pid = live.backendPids[i] ?? null;
    const isAsked = roles.some((one) => one === role);
    if (pid !== null && isAsked) backends.set(pid, { client, role });
  });
  return backends;
}

/** A profile for each client and role: several queriers of a client are one. */
function foldedProfiles(
  byPid: ReadonlyMap<number, StepProfile['stacks']>,
  backends: ReadonlyMap<number, Profiled>,
): (Profiled & Pick<StepProfile, 'stacks'>)[] {
  const groups = new Map<string, Profiled & { readonly parts: StepProfile['stacks'][] }>();
  for (const [pid, backend] of backends) {
    const stacks = byPid.get(pid);
    if (stacks === undefined) continue;
    const key = `${backend.role}/${backend.client}`;
    const group = groups.get(key) ?? { ...backend, parts: [] };
    group.parts.push(stacks);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ client, role, parts }) => ({
    client,
    role,
    stacks: mergeStacks(parts),
  }));
}

/** By less than this a window may be shorter than was asked for, and nothing is said; seconds. */
const NOTHING_S = 0.05;

interface Shortfall {
  readonly askedS: number;
  readonly cutBy: string | null;
  /** Roles without a sample. */
  readonly silent: readonly string[];
}

function describeWindow(
  { event, callGraph, frequencyHz, fromS, toS }: Omit<StepProfile, 'client' | 'role' | 'stacks'>,
  { askedS, cutBy, silent }: Shortfall,
): string {
  const window = `from second ${fromS.toFixed(1)} to ${toS.toFixed(1)}`;
  const isShort = toS - fromS < askedS - NOTHING_S;
  const short = isShort ? ` (not ${askedS} s: ${cutBy ?? 'the step ended'})` : '';
  const empty =
    silent.length === 0
      ? ''
      : `; no backend of ${silent.join(', ')} was on a CPU when a sample was due`;
  return `profiled ${window}${short} with perf (${event}, ${frequencyHz} Hz, stacks by ${callGraph}): the figures of these seconds carry its cost${empty}`;
}
