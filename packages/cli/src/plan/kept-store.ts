import { adoptKept, checkKept, type KeptData, removeKept } from '@ibench/host';
import type { PlanRunRecord } from '@ibench/store';
import { messageOf } from '../run/failure.ts';

interface Entry {
  readonly data: KeptData;
  /** The run that made it. */
  readonly runKey: number;
}

/** The data that a plan keeps for its runs to start from, by what it depends on. */
export class KeptStore {
  readonly #entries = new Map<string, Entry>();
  readonly #say: (text: string) => void;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  get(key: string): Entry | null {
    return this.#entries.get(key) ?? null;
  }

  add(data: KeptData, runKey: number): void {
    this.#entries.set(data.key, { data, runKey });
  }

  /** Takes over what an earlier process had kept for this plan, if it is still what it was. */
  async adopt(found: readonly KeptData[], runs: readonly PlanRunRecord[]): Promise<void> {
    const attempts = runs.flatMap((run) => run.attempts);
    for (const data of found) {
      const source = attempts.find(({ directory }) => directory === data.runDirectory);
      try {
        await checkKept(data);
        if (source === undefined) throw new Error('the run that made it is not in the store');
        adoptKept(data);
        this.add(data, source.runKey);
        this.#say(`the data that run ${source.runId} made is still there`);
      } catch (error) {
        removeKept(data);
        this.#say(`data that was kept is removed, and made anew: ${messageOf(error)}`);
      }
    }
  }

  /** Removes what no run needs any more. */
  removeAllBut(keys: ReadonlySet<string>): void {
    for (const [key, { data }] of this.#entries) {
      if (keys.has(key)) continue;
      removeKept(data);
      this.#entries.delete(key);
    }
  }

  /** The folders of what is kept. */
  directories(): string[] {
    return [...this.#entries.values()].map(({ data }) => data.dataDirectory);
  }
}
