import {
  BLOCK_BYTES,
  type BlockView,
  CONTROL,
  COUNTERS,
  type Counter,
  FDS,
  viewBlock,
} from '@ibench/core/worker';
import { mapShared } from './posix.ts';

/** The step's shared memory as one worker sees it: the control page and its own block. */
export class StepMemory {
  readonly block: BlockView;
  readonly #stop: Int32Array;
  readonly #guesses: Float64Array;

  constructor(blockOffset: number) {
    const control = mapShared(FDS.memory, 0, CONTROL.bytes);
    this.#stop = new Int32Array(control, CONTROL.stop, 1);
    this.#guesses = new Float64Array(control, CONTROL.guesses);
    this.block = viewBlock(mapShared(FDS.memory, blockOffset, BLOCK_BYTES));
  }

  /** The runner wants the step to end now. */
  get stopped(): boolean {
    return this.#stop[0] !== 0;
  }

  /** The deleter's guess for a client (from 1): no live id is smaller. */
  guess(client: number): number {
    return this.#guesses[client - 1] as number;
  }

  publishGuess(client: number, id: number): void {
    this.#guesses[client - 1] = id;
  }

  /** Adds to one of the block's counters. */
  add(name: Counter, amount: number): void {
    const i = INDEX[name];
    this.block.counters[i] = (this.block.counters[i] as number) + amount;
  }

  /** Counts one query that the worker made for itself, in ticks of 0.1 µs. */
  addResync(ns: number): void {
    const ticks = Math.floor(ns / 100);
    this.add('resyncCount', 1);
    this.add('resyncSum', ticks);
    const i = INDEX.resyncMax;
    if (ticks > (this.block.counters[i] as number)) this.block.counters[i] = ticks;
  }
}

const INDEX = Object.fromEntries(COUNTERS.map((name, i) => [name, i])) as Record<Counter, number>;
