import { canaryAudit } from '@ibench/core';
import { runCanary } from '@ibench/host';
import { loadCanaries, type Store, saveCanary, saveRunAudits } from '@ibench/store';
import { messageOf } from './failure.ts';
import type { Progress } from './progress.ts';
import type { RunLog } from './run-log.ts';

/** When the host is asked to do its fixed piece of work. */
export const CANARY_MODES = ['run', 'each-step', 'off'] as const;
export type CanaryMode = (typeof CANARY_MODES)[number];

/** Takes the readings of one run. */
export interface CanaryTaker {
  /** @param stepKey the step that comes next */
  take(moment: 'before' | 'step' | 'after', stepKey?: number): Promise<void>;
  /** Holds the readings against those of earlier runs, and marks the run where they differ. */
  judge(): void;
}

/** What it takes. */
export interface CanaryPlace {
  readonly store: Store;
  readonly runKey: number;
  /** On the file system of the server's data, or of the run's folder where the server is not ours. */
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly log: RunLog;
  readonly progress: Progress;
}

/** A canary that cannot sing is no reason to give up a run: it is told, and the reading is missing. */
export function canaryTaker(place: CanaryPlace): CanaryTaker {
  const { store, runKey, directory, signal, log, progress } = place;
  return {
    take: async (moment, stepKey) => {
      try {
        const at = new Date().toISOString();
        const reading = await runCanary(directory, signal);
        saveCanary(store, runKey, { moment, stepKey: stepKey ?? null, at, ...reading });
        log.info({ moment, ...reading }, 'canary');
      } catch (error) {
        signal.throwIfAborted();
        log.warn({ err: error }, 'no canary');
        progress.line(`no canary ${moment} the run: ${messageOf(error)}`);
      }
    },
    judge: () => {
      const { own, earlier } = loadCanaries(store, runKey);
      const audits = canaryAudit(own, earlier);
      saveRunAudits(store, runKey, audits);
      for (const { verdict, reason } of audits) if (verdict !== 'ok') progress.line(reason);
    },
  };
}
