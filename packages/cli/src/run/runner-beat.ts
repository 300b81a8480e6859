/** How often the runner looks whether it runs. */
const PERIOD_MS = 200;

/**
 * Notices that the runner itself did not get to run for a while: somebody stopped it, it waited for a CPU,
 * or something kept its only thread. Nothing else in it could tell that from a server that answers late.
 */
export class RunnerBeat {
  #lastMs = performance.now();
  #longestMs = 0;
  #timer: NodeJS.Timeout | undefined;

  start(): void {
    this.#lastMs = performance.now();
    this.#timer = setInterval(() => this.#look(), PERIOD_MS).unref();
  }

  /** Also looks: what made the step end may come before the next beat. */
  stop(): void {
    if (this.#timer !== undefined) this.#look();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Longest time in which it did not run, s. */
  get longestPauseS(): number {
    return this.#longestMs / 1000;
  }

  #look(): void {
    // CLOCK_MONOTONIC, which the workers measure with as well.
    const nowMs = performance.now();
    this.#longestMs = Math.max(this.#longestMs, nowMs - this.#lastMs - PERIOD_MS);
    this.#lastMs = nowMs;
  }
}
