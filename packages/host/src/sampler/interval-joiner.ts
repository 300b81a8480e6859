import type { IoSample, OsSample, VmSample } from '@ibench/core';

/** What the joiner needs to know of the step. */
export interface JoinerOptions {
  readonly intervalS: number;
  /** Start of the step that is running, in ns of CLOCK_MONOTONIC; null: none is running. */
  stepStartNs(): bigint | null;
  onSample(sample: OsSample): void;
}

/** The half of a sample that one of the two tools measured. */
export type HalfSample =
  | { readonly kind: 'vm'; readonly vm: VmSample }
  | { readonly kind: 'io'; readonly io: readonly IoSample[] };

interface Pending {
  readonly endNs: bigint;
  vm: VmSample | null;
  io: readonly IoSample[] | null;
  /** Start of the step that all halves lie in; null: some half does not lie inside a step. */
  stepNs: bigint | null;
}

/**
 * Puts what vmstat and iostat report for the same interval into one sample.
 *
 * The two are started together, so that their reports come within milliseconds of each other; halves up to half an
 * interval apart belong together. A half without a partner goes out alone when the next one comes. An interval lasts
 * from the report before to its own, and counts only if it began after the step did and ended while it was running.
 */
export class IntervalJoiner {
  readonly #options: JoinerOptions;
  readonly #halfIntervalNs: bigint;
  readonly #lastNs: { vm: bigint | null; io: bigint | null } = { vm: null, io: null };
  #pending: Pending | null = null;
  /** The first sample of the step: seconds are counted from there, so that jitter cannot double or skip one. */
  #anchor: { stepNs: bigint; endNs: bigint; second: number; last: number } | null = null;

  constructor(options: JoinerOptions) {
    this.#options = options;
    this.#halfIntervalNs = BigInt(Math.round(options.intervalS * 5e8));
  }

  /** A series begins: its first interval starts now. */
  begin(kind: HalfSample['kind'], atNs: bigint): void {
    this.#lastNs[kind] = atNs;
  }

  /** A series reported an interval that ended now. */
  add(half: HalfSample, atNs: bigint): void {
    const stepNs = this.#stepHolding(this.#lastNs[half.kind], atNs);
    this.#lastNs[half.kind] = atNs;
    const pending = this.#pending;
    const belongs = pending !== null && pending[half.kind] === null;
    if (pending !== null && belongs && atNs - pending.endNs <= this.#halfIntervalNs) {
      if (half.kind === 'vm') pending.vm = half.vm;
      else pending.io = half.io;
      if (stepNs !== pending.stepNs) pending.stepNs = null;
      this.flush();
      return;
    }
    this.flush();
    this.#pending = {
      endNs: atNs,
      vm: half.kind === 'vm' ? half.vm : null,
      io: half.kind === 'io' ? half.io : null,
      stepNs,
    };
  }

  /** Hands over the half that still waits for its partner. */
  flush(): void {
    const pending = this.#pending;
    this.#pending = null;
    if (pending === null || pending.stepNs === null) return;
    const second = this.#second(pending.stepNs, pending.endNs);
    if (second === null) return;
    this.#options.onSample({ second, vm: pending.vm, io: pending.io ?? [] });
  }

  #stepHolding(beginNs: bigint | null, endNs: bigint): bigint | null {
    const startNs = this.#options.stepStartNs();
    if (startNs === null || beginNs === null) return null;
    return beginNs >= startNs && endNs > startNs ? startNs : null;
  }

  /** null: reports that came late, all at once, are more than there are seconds for. */
  #second(stepNs: bigint, endNs: bigint): number | null {
    // An interval is some milliseconds shorter or longer than asked for: 0.998 s are the first second.
    const tolerance = 0.05;
    const reached = Math.floor(Number(endNs - stepNs) / 1e9 + tolerance);
    if (this.#anchor?.stepNs !== stepNs) {
      this.#anchor = { stepNs, endNs, second: reached, last: reached - 1 };
    }
    const anchor = this.#anchor;
    const second = anchor.second + Math.round(Number(endNs - anchor.endNs) / 1e9);
    // Where the two tools have drifted half an interval apart, two samples can end in one second.
    const next = Math.max(second, anchor.last + 1);
    if (next > reached + 1) return null;
    anchor.last = next;
    return anchor.last;
  }
}
