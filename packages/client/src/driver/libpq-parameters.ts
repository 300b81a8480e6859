import { allocate, type NativeMemory } from '../posix.ts';
import { type Parameters, type ParameterType, POSTGRES_EPOCH_US } from './driver.ts';

/** Object ids of the types in PostgreSQL's catalogue (pg_type.dat); they never change. */
export const PARAMETER_OIDS: Readonly<Record<ParameterType, number>> = {
  int4: 23,
  int8: 20,
  timestamp: 1114,
  text: 25,
  'int4[]': 1007,
  'timestamp[]': 1115,
  'text[]': 1009,
};

const SLOT_BYTES = 8;
const BINARY = 1;

/**
 * Binary parameters as libpq takes them: an array of pointers to values, of lengths and of formats, all
 * in native memory. Numbers have a fixed slot of eight bytes each; text is packed behind the slots.
 */
export class LibpqParameters implements Parameters {
  readonly count: number;
  readonly values: NativeMemory;
  readonly lengths: NativeMemory;
  readonly formats: NativeMemory;
  readonly #slots: NativeMemory;
  readonly #textStart: number;
  #textEnd: number;

  constructor(types: readonly ParameterType[], textCapacity: number) {
    this.count = types.length;
    this.values = allocate(8 * types.length);
    this.lengths = allocate(4 * types.length);
    this.formats = allocate(4 * types.length);
    this.#textStart = SLOT_BYTES * types.length;
    this.#textEnd = this.#textStart;
    this.#slots = allocate(this.#textStart + textCapacity + 1);
    types.forEach((type, i) => {
      this.#point(i, this.#slots.address + SLOT_BYTES * i, type === 'int4' ? 4 : 8);
      this.formats.view.setInt32(4 * i, BINARY, true);
    });
  }

  setInt32(index: number, value: number): void {
    this.#slots.view.setInt32(SLOT_BYTES * index, value);
  }

  setInt64(index: number, value: number): void {
    this.#slots.view.setInt32(SLOT_BYTES * index, Math.floor(value / 4294967296));
    this.#slots.view.setUint32(SLOT_BYTES * index + 4, value % 4294967296);
  }

  setTimestamp(index: number, unixUs: number): void {
    this.setInt64(index, unixUs - POSTGRES_EPOCH_US);
  }

  setText(index: number, bytes: Uint8Array, from: number, to: number): void {
    if (index <= this.#lastText) this.#textEnd = this.#textStart;
    this.#lastText = index;
    const start = this.#textEnd;
    for (let i = from; i < to; i++) this.#slots.bytes[this.#textEnd++] = bytes[i] as number;
    this.#point(index, this.#slots.address + start, to - from);
  }

  setMemory(index: number, memory: NativeMemory, length: number): void {
    this.#point(index, memory.address, length);
  }

  /** Text parameters are set in rising order; an index that is not higher starts a new execution. */
  #lastText = -1;

  #point(index: number, address: number, length: number): void {
    this.values.view.setUint32(8 * index, address % 4294967296, true);
    this.values.view.setUint32(8 * index + 4, Math.floor(address / 4294967296), true);
    this.lengths.view.setInt32(4 * index, length, true);
  }
}
