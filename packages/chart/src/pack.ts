import type { Points } from './spec.ts';

/** Finer than a pixel of a chart: a linear value is kept to this part of the largest one. */
const LINEAR_STEPS = 1023;
/** Steps per doubling of a value on a logarithmic axis: within 1.1%. */
const LOG_STEPS = 32;
/** Positions are kept to a tenth. */
const POSITION_STEPS = 10;

/**
 * Series for a page, one after the other: each as variable-length whole numbers (LEB128), positions and
 * values as differences to the one before. Small numbers repeat, so gzip does the rest.
 */
export function packSeries(series: readonly PackedSeries[]): Uint8Array {
  const bytes: number[] = [];
  for (const one of series) pushSeries(bytes, one);
  return Uint8Array.from(bytes);
}

/** Points and the kind of axis they are for. */
export interface PackedSeries {
  readonly points: Points;
  readonly scale: 'linear' | 'log';
}

/** What `packSeries` packed; values within 1/2046 of the largest, or 1.1% where the axis is logarithmic. */
export function unpackSeries(bytes: Uint8Array): Points[] {
  const reader: Reader = { bytes, at: 0 };
  const series: Points[] = [];
  while (reader.at < bytes.length) series.push(readSeries(reader));
  return series;
}

function pushSeries(bytes: number[], { points, scale }: PackedSeries): void {
  const quantum = scale === 'log' ? 0 : linearQuantum(points.y);
  pushNumber(bytes, points.x.length);
  for (const byte of new Uint8Array(Float64Array.of(quantum).buffer)) bytes.push(byte);
  pushDifferences(bytes, points.x, (x) => Math.round(x * POSITION_STEPS));
  pushDifferences(bytes, points.y, (y) => toStep(y, quantum));
}

function readSeries(reader: Reader): Points {
  const count = readNumber(reader);
  const quantum = new Float64Array(reader.bytes.slice(reader.at, reader.at + 8).buffer)[0]!;
  reader.at += 8;
  const x = readDifferences(reader, count, (step) => step / POSITION_STEPS);
  const y = readDifferences(reader, count, (step) => fromStep(step, quantum));
  return { x, y };
}

/** Whole numbers that are small enough stay what they are. */
function linearQuantum(values: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    if (values[i]! > largest) largest = values[i]!;
  }
  const quantum = largest / LINEAR_STEPS;
  return quantum > 0 && quantum <= 1 && isWhole(values) ? 1 : quantum || 1;
}

function isWhole(values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isNaN(values[i]!) && !Number.isInteger(values[i]!)) return false;
  }
  return true;
}

/** 0 is a gap, 1 a zero; above, the value in steps of its axis. */
function toStep(value: number, quantum: number): number {
  if (Number.isNaN(value)) return 0;
  if (value <= 0) return 1;
  if (quantum > 0) return 1 + Math.round(value / quantum);
  return 2 + Math.max(0, Math.round((Math.log2(value) + 8) * LOG_STEPS));
}

function fromStep(step: number, quantum: number): number {
  if (step === 0) return Number.NaN;
  if (step === 1) return 0;
  return quantum > 0 ? (step - 1) * quantum : 2 ** ((step - 2) / LOG_STEPS - 8);
}

function pushDifferences(
  bytes: number[],
  values: ArrayLike<number>,
  toWhole: (value: number) => number,
): void {
  let before = 0;
  for (let i = 0; i < values.length; i++) {
    const whole = toWhole(values[i]!);
    const difference = whole - before;
    pushNumber(bytes, difference >= 0 ? 2 * difference : -2 * difference - 1);
    before = whole;
  }
}

function readDifferences(
  reader: Reader,
  count: number,
  fromWhole: (whole: number) => number,
): Float64Array {
  const values = new Float64Array(count);
  let whole = 0;
  for (let i = 0; i < count; i++) {
    const zigzag = readNumber(reader);
    whole += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
    values[i] = fromWhole(whole);
  }
  return values;
}

interface Reader {
  readonly bytes: Uint8Array;
  at: number;
}

function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

function readNumber(reader: Reader): number {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = reader.bytes[reader.at++]!;
    value += (byte % 128) * factor;
    if (byte < 128) return value;
  }
}
