import { setTimeout as sleep } from 'node:timers/promises';
import { type Audit, type Clocks, clockAudit, stoppedAudit } from '@ibench/core';
import type { Backend } from '@ibench/host';
import { findStrangers, listed } from './check-backends.ts';
import type { RunContext } from './context.ts';
import { checkReserve } from './disk-reserve.ts';
import { ProcessWatch, type WatchedProcess } from './process-watch.ts';

const INTERVAL_MS = 1000;
/** Age up to which what a sample has shown spares a look: samples taken each second can be late. */
const FRESH_MS = 1.5 * INTERVAL_MS;

/** Looks, each second of a step, at what must hold beside the load. */
export interface StepWatch {
  /** Rejected when the step has to end: the disk is nearly full. */
  readonly failed: Promise<never>;
  /** Takes the client connections that somebody else has just asked for, so that they are not asked for again. */
  see(backends: readonly Backend[]): void;
  /** A last look, while all connections are still there. */
  end(): Promise<Audit[]>;
  /** Stops looking, whatever became of the step. */
  close(): void;
}

/**
 * Starts to watch a step: that the disk keeps its reserve, that the server has the step's connections and
 * no others, that the time of day is not set, and that the processes that work in it are not stopped.
 *
 * @param expected names of the step's connections
 */
export function watchStep(
  context: RunContext,
  expected: readonly string[],
  watched: readonly WatchedProcess[],
): StepWatch {
  const over = new AbortController();
  const clocks: Clocks[] = [readClocks()];
  const processes = new ProcessWatch(watched);
  const missing = new Set<string>();
  const others = new Set<string>();
  const note = (backends: readonly Backend[]): void => {
    // An answer from after the step is about connections that may go.
    if (over.signal.aborted) return;
    const strangers = findStrangers(context.runId, expected, backends);
    for (const name of strangers.missing) missing.add(name);
    for (const name of strangers.others) others.add(name);
  };
  const look = async (): Promise<void> => note(await context.server.backends());
  let shownMs = Number.NEGATIVE_INFINITY;
  const failed = (async (): Promise<never> => {
    for (;;) {
      await sleep(INTERVAL_MS, undefined, { signal: over.signal });
      checkReserve([...context.server.directories, context.directory], context.limits.diskReserve);
      clocks.push(readClocks());
      processes.look();
      if (performance.now() - shownMs < FRESH_MS) continue;
      // What is wrong with the server shows in the step itself, in better words.
      await look().catch((error) => context.log.warn({ err: error }, 'the watch could not look'));
    }
  })();
  failed.catch(() => {});
  return {
    failed,
    see: (backends) => {
      shownMs = performance.now();
      note(backends);
    },
    end: async () => {
      clocks.push(readClocks());
      await look();
      over.abort();
      return [
        ...clockAudit(clocks),
        connectionsAudit(context, [...missing], [...others]),
        stoppedAudit(processes.stopped),
      ];
    },
    close: () => over.abort(),
  };
}

/** Date is CLOCK_REALTIME, hrtime CLOCK_MONOTONIC. */
function readClocks(): Clocks {
  return { realMs: Date.now(), monotonicMs: Number(process.hrtime.bigint()) / 1e6 };
}

/** Strangers make the step invalid on a server of ours; on another one they are to be expected. */
function connectionsAudit(
  { server }: RunContext,
  missing: readonly string[],
  others: readonly string[],
): Audit {
  const parts = [
    ...(missing.length === 0 ? [] : [`missing: ${listed(missing)}`]),
    ...(others.length === 0 ? [] : [`others: ${listed(others)}`]),
  ];
  const isOk = parts.length === 0;
  const isInvalid = missing.length > 0 || server.isExclusive;
  return {
    name: 'connections',
    verdict: isOk ? 'ok' : isInvalid ? 'invalid' : 'warned',
    value: missing.length + others.length,
    bound: 0,
    reason: isOk
      ? 'the server had the connections of the step and no others'
      : `the server had other connections during the step than it should: ${parts.join('; ')}`,
  };
}
