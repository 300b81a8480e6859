import { setTimeout as sleep } from 'node:timers/promises';
import type { SamplingCost } from '@ibench/core';
import { messageOf } from './failure.ts';

/** When a beat is due: at `startNs` (CLOCK_MONOTONIC) + first, and then every period. */
export interface Rhythm {
  readonly startNs: number;
  readonly firstS: number;
  readonly periodS: number;
}

/**
 * Does a piece of work again and again, at most once at a time, and knows what it cost. What falls due
 * while it is still at it is missed, not made up for.
 */
export class Beat {
  readonly what: SamplingCost['what'];
  #samples = 0;
  #missed = 0;
  #totalS = 0;
  #maxS = 0;
  #lastFault: string | null = null;
  readonly #over = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  constructor(what: SamplingCost['what']) {
    this.what = what;
  }

  /** @param work gives false where there was nothing to do, which then does not count */
  start(rhythm: Rhythm, work: () => Promise<boolean>): void {
    this.#ended = this.#run(rhythm, work).catch(() => {});
  }

  /** Was it stopped? What work that is still under way finds then, is too late. */
  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** No more work is begun. */
  stop(): void {
    this.#over.abort();
  }

  /** Waits for work that is under way, but not long: the server may be what is stuck. */
  async end(): Promise<void> {
    this.stop();
    await Promise.race([this.#ended, sleep(END_MS, undefined, { ref: false })]);
  }

  cost(backendCpuS: number | null): SamplingCost {
    return {
      what: this.what,
      samples: this.#samples,
      missed: this.#missed,
      totalS: this.#totalS,
      maxS: this.#maxS,
      backendCpuS,
    };
  }

  /**
   * Words on samples that are missing, where so many are that their means may mislead.
   *
   * @param runnerPauseS longest time in which the runner did not run, s
   */
  warning(runnerPauseS: number): string | null {
    const due = this.#samples + this.#missed;
    if (this.#missed <= MISSED_SHARE * due) return null;
    // A sample that was under way in a pause seems to have taken all of it.
    const late =
      2 * runnerPauseS > this.#maxS
        ? `the runner stood still for ${runnerPauseS.toFixed(1)} s`
        : 'the server answered late';
    const why = this.#lastFault ?? late;
    return `${this.#missed} of ${due} samples of ${WORDS[this.what]} are missing: ${why}`;
  }

  async #run({ startNs, firstS, periodS }: Rhythm, work: () => Promise<boolean>): Promise<void> {
    const { signal } = this.#over;
    for (let k = 0; !signal.aborted; k += 1) {
      const elapsedS = (Number(process.hrtime.bigint()) - startNs) / 1e9;
      const due = Math.floor((elapsedS - firstS) / periodS);
      if (due > k) {
        this.#missed += due - k;
        k = due;
      }
      await sleep(Math.max(0, (firstS + k * periodS - elapsedS) * 1000), undefined, { signal });
      await this.#once(work);
    }
  }

  async #once(work: () => Promise<boolean>): Promise<void> {
    const sent = performance.now();
    try {
      if (!(await work())) return;
    } catch (error) {
      // An answer that comes after the step has ended is nobody's.
      if (this.#over.signal.aborted) return;
      this.#missed += 1;
      this.#lastFault = messageOf(error);
      return;
    }
    const tookS = (performance.now() - sent) / 1000;
    this.#samples += 1;
    this.#totalS += tookS;
    this.#maxS = Math.max(this.#maxS, tookS);
  }
}

const END_MS = 1000;
const MISSED_SHARE = 0.1;
const WORDS: Readonly<Record<SamplingCost['what'], string>> = {
  activity: 'pg_stat_activity',
  planning: "the delete's planning time",
};
