import type { StoppedProcess } from '@ibench/core';
import { readProcess } from '@ibench/host';

/** A process of a step that should be able to run all the time. */
export interface WatchedProcess {
  readonly pid: number;
  /** In words: `the querier of client 1`. */
  readonly who: string;
  readonly isServer: boolean;
}

/** States of `/proc/<pid>/stat`: stopped by a signal, and by a tracer. */
const STOPPED = 'T';
const TRACED = 't';

/** Looks whether processes are stopped. */
export class ProcessWatch {
  readonly #processes: readonly WatchedProcess[];
  readonly #found = new Map<WatchedProcess, StoppedProcess>();

  constructor(processes: readonly WatchedProcess[]) {
    this.#processes = processes;
  }

  /** One small read for each process. */
  look(): void {
    for (const process of this.#processes) {
      const state = readProcess(process.pid)?.state;
      if (state !== STOPPED && state !== TRACED) continue;
      const { who, isServer } = process;
      const times = (this.#found.get(process)?.times ?? 0) + 1;
      this.#found.set(process, { who, isServer, isTraced: state === TRACED, times });
    }
  }

  get stopped(): StoppedProcess[] {
    return [...this.#found.values()];
  }
}
