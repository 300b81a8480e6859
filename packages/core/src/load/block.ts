import { BUCKETS } from '../histogram.ts';

/**
 * The memory that the workers of a step share with the runner.
 *
 * One control page, then one block for each worker. A worker writes its counters into its block with
 * plain stores, the runner reads them whenever it likes: nothing is sent while measuring, and what was
 * measured is there even if the worker is blocked in a statement or has been killed.
 * All offsets are bytes; every area starts at a multiple of 8.
 */
const PAGE = 4096;

/** Control page: Int32 stop flag, then one Float64 per client: the deleter's guess of the smallest id. */
export const CONTROL = { stop: 0, guesses: 64, bytes: PAGE * 2 } as const;

/** Most clients that the control page has room for. */
export const MAX_CLIENTS: number = Math.floor((CONTROL.bytes - CONTROL.guesses) / 8);

/** Float64 counters of a worker, by index. Times are in ticks of 0.1 µs unless the name says ns. */
export const COUNTERS = [
  'operations',
  'rows',
  'serviceSum',
  'serviceMax',
  'responseCount',
  'responseSum',
  'responseMax',
  'waitServerNs',
  'generateNs',
  'waitQueueNs',
  'retries',
  'resyncCount',
  'resyncSum',
  'resyncMax',
] as const;
export type Counter = (typeof COUNTERS)[number];

/** A second's slot: [second + 1, operations, rows, slowest in µs]; 0 in front: never used. */
export const SECOND_FIELDS = 4;

/** Seconds kept in the ring; the runner must read more often than this. */
export const RING_SECONDS = 1024;

const COUNTER_BYTES = 256;
const RING_BYTES = RING_SECONDS * SECOND_FIELDS * 4;
const HISTOGRAM_BYTES = BUCKETS * 4;
const DECIMAL_BYTES = 40;

/** Where each area of a worker's block starts. */
const BLOCK = {
  counters: 0,
  ring: COUNTER_BYTES,
  service: COUNTER_BYTES + RING_BYTES,
  response: COUNTER_BYTES + RING_BYTES + HISTOGRAM_BYTES,
  serviceDecimal: COUNTER_BYTES + RING_BYTES + 2 * HISTOGRAM_BYTES,
  responseDecimal: COUNTER_BYTES + RING_BYTES + 2 * HISTOGRAM_BYTES + DECIMAL_BYTES,
} as const;

/** Length of a worker's block: whole pages, so that it can be mapped by itself. */
export const BLOCK_BYTES: number = Math.ceil((BLOCK.responseDecimal + DECIMAL_BYTES) / PAGE) * PAGE;

/** Offset of worker number `index` (from 0) in the shared memory. */
export function blockOffset(index: number): number {
  return CONTROL.bytes + index * BLOCK_BYTES;
}

/** A worker's block seen as typed arrays over `memory`, which starts at `byteOffset`. */
export interface BlockView {
  readonly counters: Float64Array;
  readonly ring: Uint32Array;
  readonly service: Uint32Array;
  readonly response: Uint32Array;
  readonly serviceDecimal: Uint32Array;
  readonly responseDecimal: Uint32Array;
}

/** Views of one block; `memory` is the mapping (worker) or a copy of it (runner). */
export function viewBlock(memory: ArrayBuffer, byteOffset = 0): BlockView {
  return {
    counters: new Float64Array(memory, byteOffset + BLOCK.counters, COUNTERS.length),
    ring: new Uint32Array(memory, byteOffset + BLOCK.ring, RING_SECONDS * SECOND_FIELDS),
    service: new Uint32Array(memory, byteOffset + BLOCK.service, BUCKETS),
    response: new Uint32Array(memory, byteOffset + BLOCK.response, BUCKETS),
    serviceDecimal: new Uint32Array(memory, byteOffset + BLOCK.serviceDecimal, 10),
    responseDecimal: new Uint32Array(memory, byteOffset + BLOCK.responseDecimal, 10),
  };
}

/** Value of a counter. */
export function counter(view: BlockView, name: Counter): number {
  return view.counters[COUNTERS.indexOf(name)] as number;
}
