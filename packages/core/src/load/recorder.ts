import { bucketIndex, decimalIndex } from '../histogram.ts';
import { type BlockView, COUNTERS, RING_SECONDS, SECOND_FIELDS } from './block.ts';

const OPERATIONS = COUNTERS.indexOf('operations');
const ROWS = COUNTERS.indexOf('rows');
const SERVICE_SUM = COUNTERS.indexOf('serviceSum');
const SERVICE_MAX = COUNTERS.indexOf('serviceMax');
const RESPONSE_COUNT = COUNTERS.indexOf('responseCount');
const RESPONSE_SUM = COUNTERS.indexOf('responseSum');
const RESPONSE_MAX = COUNTERS.indexOf('responseMax');

/**
 * Counts finished operations into a worker's block. Called once per statement on the hot path:
 * no allocation, no branch on anything but the histogram's range.
 * Times in and out are nanoseconds of CLOCK_MONOTONIC as doubles.
 */
export class Recorder {
  readonly #block: BlockView;
  readonly #startNs: number;

  constructor(block: BlockView, startNs: number) {
    this.#block = block;
    this.#startNs = startNs;
  }

  /** One statement that was sent at `sentNs`, answered at `endNs` and changed or returned `rows` rows. */
  record(sentNs: number, endNs: number, rows: number): void {
    const { counters, service, serviceDecimal } = this.#block;
    const ticks = Math.floor((endNs - sentNs) / 100);
    const bucket = bucketIndex(ticks);
    service[bucket] = service[bucket]! + 1;
    const decimal = decimalIndex(ticks);
    serviceDecimal[decimal] = serviceDecimal[decimal]! + 1;
    counters[OPERATIONS] = counters[OPERATIONS]! + 1;
    counters[ROWS] = counters[ROWS]! + rows;
    counters[SERVICE_SUM] = counters[SERVICE_SUM]! + ticks;
    if (ticks > counters[SERVICE_MAX]!) counters[SERVICE_MAX] = ticks;
    this.#recordSecond(endNs, ticks, rows);
  }

  /** The same statement by the clock of its user: it was due at `dueNs`. */
  recordResponse(dueNs: number, endNs: number): void {
    const { counters, response, responseDecimal } = this.#block;
    const ticks = Math.max(0, Math.floor((endNs - dueNs) / 100));
    const bucket = bucketIndex(ticks);
    response[bucket] = response[bucket]! + 1;
    const decimal = decimalIndex(ticks);
    responseDecimal[decimal] = responseDecimal[decimal]! + 1;
    counters[RESPONSE_COUNT] = counters[RESPONSE_COUNT]! + 1;
    counters[RESPONSE_SUM] = counters[RESPONSE_SUM]! + ticks;
    if (ticks > counters[RESPONSE_MAX]!) counters[RESPONSE_MAX] = ticks;
  }

  /**
   * A statement that was sent at `sentNs` and not answered when the step was over, at `overNs`: no operation
   * and in no histogram, but the slowest took at least as long.
   */
  recordUnfinished(sentNs: number, overNs: number): void {
    if (overNs <= sentNs) return;
    const ticks = Math.floor((overNs - sentNs) / 100);
    this.#raise(SERVICE_MAX, ticks);
    // The step's last second ends at `overNs`.
    const second = Math.max(0, Math.ceil((overNs - this.#startNs) / 1e9) - 1);
    this.#raiseSlowest(this.#slotOf(second), ticks);
  }

  /** The same by the clock of its user, sent or not: it was due at `dueNs`. */
  recordUnfinishedResponse(dueNs: number, overNs: number): void {
    if (overNs > dueNs) this.#raise(RESPONSE_MAX, Math.floor((overNs - dueNs) / 100));
  }

  #raise(maximum: number, ticks: number): void {
    const { counters } = this.#block;
    if (ticks > counters[maximum]!) counters[maximum] = ticks;
  }

  #recordSecond(endNs: number, ticks: number, rows: number): void {
    const { ring } = this.#block;
    const slot = this.#slotOf(Math.max(0, Math.floor((endNs - this.#startNs) / 1e9)));
    ring[slot + 1] = ring[slot + 1]! + 1;
    ring[slot + 2] = ring[slot + 2]! + rows;
    this.#raiseSlowest(slot, ticks);
  }

  /** The slot of a second, from zero if it was another's. */
  #slotOf(second: number): number {
    const { ring } = this.#block;
    const slot = (second % RING_SECONDS) * SECOND_FIELDS;
    if (ring[slot] !== second + 1) {
      ring[slot + 1] = 0;
      ring[slot + 2] = 0;
      ring[slot + 3] = 0;
      ring[slot] = second + 1;
    }
    return slot;
  }

  #raiseSlowest(slot: number, ticks: number): void {
    const { ring } = this.#block;
    const us = Math.ceil(ticks / 10);
    if (us > ring[slot + 3]!) ring[slot + 3] = us;
  }
}
