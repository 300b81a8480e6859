import {
  type CpuSeconds,
  type DoneWork,
  doneBetween,
  type SamplingCost,
  type SeriesValue,
  type ServerSecond,
  type WaitCount,
} from '@ibench/core';
import type { Activity, Session } from '@ibench/host';
import { addServerSecond } from '@ibench/store';
import { Beat } from './beat.ts';
import type { RunContext } from './context.ts';
import { OWN_ROLES, observerBackends } from './observers.ts';
import type { StepWatch } from './step-watch.ts';

/** What a step can tell beside the server. */
export interface StepProbe {
  /** Values that have come up since the last call. */
  readonly values: () => readonly SeriesValue[];
  /** The next delete to plan; null: there is none. */
  readonly nextDelete: () => { table: string; guess: number; rows: number } | null;
}

/** Watches the server during a step: who is active and waits for what, who uses how much CPU. */
export interface ServerSampler {
  /** @param startNs CLOCK_MONOTONIC, ns; @param others is told of the connections in each sample */
  start(startNs: number, probe: StepProbe, others: Pick<StepWatch, 'see'>): void;
  /** Takes no more samples. */
  stop(): void;
  /** Waits for a sample that is under way. */
  end(): Promise<void>;
  /** @param cpuOf CPU that a server process used in the step, seconds, where the kernel does not tell more exactly */
  costs(cpuOf: (pid: number) => number | null): SamplingCost[];
  /** @param runnerPauseS longest time in which the runner did not run, s */
  warnings(runnerPauseS: number): string[];
}

/** To plan a delete is work that the measured delete would feel if it were done often. */
const PLANNING_PERIOD_S = 10;
const PLANNING_FIRST_S = 1;

/**
 * Makes the sampler of a step; it does nothing where the run has no observers.
 *
 * @param onFault told when the store does not take what was seen
 */
export function serverSampler(
  context: RunContext,
  stepKey: number,
  onFault: (error: unknown) => void,
): ServerSampler {
  const { observers, store } = context;
  const activity = new Beat('activity');
  const planning = new Beat('planning');
  const beats = observers === null ? [] : [activity, planning];
  const pids = (): number[] => observerBackends(observers).map(({ backendPid }) => backendPid);
  let before = new Map() as ReadonlyMap<number, number>;
  let after = before;
  const keep = (seen: ServerSecond): void => {
    try {
      addServerSecond(store, stepKey, seen);
    } catch (error) {
      onFault(error);
    }
  };
  return {
    start: (startNs, probe, others) => {
      if (observers === null) return;
      const secondNow = (): number => Math.floor((Number(process.hrtime.bigint()) - startNs) / 1e9);
      const watch = new ActivityWatch(context);
      void readRunTimes(context, pids()).then((times) => {
        before = times;
      });
      activity.start({ startNs, firstS: 0, periodS: observers.intervalS }, async () => {
        const shown = await observers.activity.activity();
        others.see(shown.sessions.filter(({ isClient }) => isClient));
        const seen = await watch.take(shown);
        if (seen !== null && !activity.isOver) {
          keep({ ...seen, second: secondNow(), series: [...seen.series, ...probe.values()] });
        }
        return true;
      });
      planning.start(
        { startNs, firstS: PLANNING_FIRST_S, periodS: PLANNING_PERIOD_S },
        async () => {
          const next = probe.nextDelete();
          if (next === null) return false;
          const value = await observers.planning.planDelete(next.table, next.guess, next.rows);
          const series = [{ name: 'delete_planning_ms', object: next.table, value }];
          keep({ second: secondNow(), samples: 0, coveredS: 0, waits: [], series });
          return true;
        },
      );
    },
    stop: () => {
      for (const beat of beats) beat.stop();
    },
    end: async () => {
      await Promise.all(beats.map((beat) => beat.end()));
      after = await readRunTimes(context, pids());
    },
    costs: (cpuOf) => {
      if (observers === null) return [];
      const cost = (beat: Beat, pid: number | null): SamplingCost => {
        if (pid === null) return beat.cost(null);
        const [from, to] = [before.get(pid), after.get(pid)];
        return beat.cost(from === undefined || to === undefined ? cpuOf(pid) : to - from);
      };
      return [
        cost(activity, observers.activity.backendPid()),
        cost(planning, observers.planning.backendPid()),
      ].filter(({ samples, missed }) => samples + missed > 0);
    },
    warnings: (runnerPauseS) => beats.flatMap((beat) => beat.warning(runnerPauseS) ?? []),
  };
}

/** None where the host does not answer: what is measured does not depend on it. */
async function readRunTimes(
  { server }: RunContext,
  pids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  return server.host.readRunTimes(pids).catch(() => new Map());
}

type Seen = Pick<ServerSecond, 'samples' | 'coveredS' | 'waits' | 'series'>;

/** Turns what the server shows of its processes into sessions by role and wait, CPU by role, and what was done. */
class ActivityWatch {
  readonly #context: RunContext;
  #before: { readonly atMs: number; readonly cpu: ReadonlyMap<number, CpuSeconds> } | null = null;
  #done: DoneWork | null = null;

  constructor(context: RunContext) {
    this.#context = context;
  }

  /** @returns null for the first sample, which is where the CPU is counted from */
  async take({ sessions, ...done }: Activity): Promise<Seen | null> {
    const { runId, server } = this.#context;
    const doneBefore = this.#done;
    this.#done = done;
    const roles = new Map<number, string>();
    for (const session of sessions) {
      const role = roleOf(session, runId);
      if (role !== null) roles.set(session.pid, role);
    }
    const atMs = performance.now();
    const cpu = await server.host.readCpu([...roles.keys()]);
    const before = this.#before;
    this.#before = cpu === null ? null : { atMs, cpu };
    if (doneBefore === null) return null;
    const isCovered = cpu !== null && before !== null;
    const used = isCovered ? cpuByRole(roles, before.cpu, cpu) : [];
    const coveredS = isCovered ? (atMs - before.atMs) / 1000 : 0;
    const series = [...used, ...doneBetween(doneBefore, done)];
    return { samples: 1, coveredS, waits: countWaits(sessions, roles), series };
  }
}

/** The role of the tool's own connections, whose CPU is counted but who wait for nobody's sake. */
const TOOL = 'ibench';

/** Who a process works for; null: the server does not tell. */
function roleOf(session: Session, runId: string): string | null {
  const { applicationName, backendType } = session;
  const prefix = `ibench/${runId}/`;
  if (applicationName.startsWith(prefix)) {
    const role = applicationName.slice(prefix.length).replace(/\/.*/, '');
    return (OWN_ROLES as readonly string[]).includes(role) ? TOOL : role;
  }
  return backendType === 'client backend' || backendType === 'parallel worker'
    ? 'other clients'
    : backendType;
}

/** Is it at work? Processes of the server's own are, unless they wait for something to do. */
function isAtWork(session: Session): boolean {
  return session.applicationName === '' && session.backendType !== 'client backend'
    ? session.waitType !== 'Activity'
    : session.isActive;
}

function countWaits(sessions: readonly Session[], roles: ReadonlyMap<number, string>): WaitCount[] {
  const counts = new Map<string, WaitCount>();
  for (const session of sessions) {
    const role = roles.get(session.pid);
    if (role === undefined || role === TOOL || !isAtWork(session)) continue;
    const waitType = session.waitType ?? 'CPU';
    const waitEvent = session.waitEvent ?? 'CPU';
    const key = JSON.stringify([role, waitType, waitEvent]);
    const sessionsSoFar = counts.get(key)?.sessions ?? 0;
    counts.set(key, { role, waitType, waitEvent, sessions: sessionsSoFar + 1 });
  }
  return [...counts.values()];
}

/** A process that came since the last reading has used all its CPU since then. */
function cpuByRole(
  roles: ReadonlyMap<number, string>,
  before: ReadonlyMap<number, CpuSeconds>,
  now: ReadonlyMap<number, CpuSeconds>,
): SeriesValue[] {
  const sums = new Map<string, number>();
  for (const [pid, cpu] of now) {
    const role = roles.get(pid);
    if (role === undefined) continue;
    const was = before.get(pid);
    const used = cpu.user + cpu.system - (was === undefined ? 0 : was.user + was.system);
    sums.set(role, (sums.get(role) ?? 0) + Math.max(0, used));
  }
  // Most of the server's own processes sleep most of the time.
  return [...sums].flatMap(([object, value]) =>
    value === 0 ? [] : [{ name: 'cpu_s', object, value }],
  );
}
