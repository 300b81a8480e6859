import type { NativeMemory } from '../posix.ts';
import { type Parameters, POSTGRES_EPOCH_US } from './driver.ts';
import type { JsValue } from './postgres-js-messages.ts';

/** Parameters as JavaScript values, for drivers that send them as text. */
export class JsParameters implements Parameters {
  readonly #values: (JsValue | NativeMemory)[];
  #timestampUs = Number.NaN;
  #timestamp = '';

  constructor(count: number) {
    this.#values = Array(count).fill(0);
  }

  /** The values as they are now. */
  values(): JsValue[] {
    return this.#values.map((value) => (typeof value === 'object' ? arrayText(value) : value));
  }

  setInt32(index: number, value: number): void {
    this.#values[index] = value;
  }

  setInt64(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** All rows of a statement have the same timestamp: it is made once. */
  setTimestamp(index: number, unixUs: number): void {
    if (unixUs !== this.#timestampUs) this.#timestamp = timestampText(unixUs);
    this.#timestampUs = unixUs;
    this.#values[index] = this.#timestamp;
  }

  setText(index: number, bytes: Uint8Array, from: number, to: number): void {
    this.#values[index] = textOf(bytes, from, to);
  }

  /** Holds an array, whose header says how long it is. */
  setMemory(index: number, memory: NativeMemory): void {
    this.#values[index] = memory;
  }
}

/** Bytes as a string. */
export function textOf(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8', from, to);
}

/** Microseconds since 1970 as a timestamp without time zone, in UTC. */
export function timestampText(unixUs: number): string {
  const seconds = Math.floor(unixUs / 1e6);
  const us = String(unixUs - seconds * 1e6).padStart(6, '0');
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')}.${us}`;
}

const HEADER_BYTES = 20;

/** A one-dimensional array in PostgreSQL's binary format, without nulls, as text: `{"a","b"}`. */
export function arrayText({ view, bytes }: NativeMemory): string {
  const element = view.getInt32(8);
  const items: string[] = [];
  let at = HEADER_BYTES;
  for (let left = view.getInt32(12); left > 0; left--) {
    const length = view.getInt32(at);
    at += 4;
    items.push(elementText(element, { view, bytes }, at, length));
    at += length;
  }
  return `{${items.join(',')}}`;
}

/** @param element object id of the elements' type in PostgreSQL's catalogue */
function elementText(
  element: number,
  { view, bytes }: Pick<NativeMemory, 'view' | 'bytes'>,
  at: number,
  length: number,
): string {
  switch (element) {
    case 23:
      return String(view.getInt32(at));
    case 1114:
      return `"${timestampText(view.getInt32(at) * 4294967296 + view.getUint32(at + 4) + POSTGRES_EPOCH_US)}"`;
    case 25:
      return `"${textOf(bytes, at, at + length).replaceAll(/["\\]/g, '\\$&')}"`;
    default:
      throw new Error(`an array of type ${element} cannot be written as text`);
  }
}
