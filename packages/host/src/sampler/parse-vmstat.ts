import type { VmSample } from '@ibench/core';
import { readNumber, splitLines, words } from './text.ts';

/** One row of vmstat. */
export interface VmstatRow {
  readonly sample: VmSample;
  /** `2026-11-30 12:34:09` as printed by `vmstat -t`, in the time zone of that host; null: not printed. */
  readonly timestamp: string | null;
  /** The averages since boot, which vmstat prints first: no sample of any interval. */
  readonly sinceBoot: boolean;
}

/** What a text printed by vmstat holds. */
export interface VmstatText {
  readonly rows: readonly VmstatRow[];
  /** Header lines with column names. */
  readonly headers: number;
  /** Rows left out because they have more or fewer cells than their header, or no header. */
  readonly damagedRows: number;
}

/** Parses everything vmstat printed. A last row without its newline counts as damaged. */
export function parseVmstat(text: string): VmstatText {
  const reader = new VmstatReader();
  const { lines, unfinished } = splitLines(text);
  const rows = lines.map((line) => reader.push(line)).filter((row) => row !== null);
  reader.pushUnfinished(unfinished);
  return { rows, headers: reader.headers, damagedRows: reader.damagedRows };
}

/** The same line by line, for a vmstat that is running. */
export class VmstatReader {
  headers = 0;
  damagedRows = 0;
  #columns: readonly string[] = [];
  #firstRowSeen = false;

  /** Takes one line without its newline; returns the row, or null for a header, a damaged row or anything else. */
  push(line: string): VmstatRow | null {
    const cells = words(line);
    if (isHeader(cells)) {
      this.headers += 1;
      this.#columns = cells.map((cell) => cell.toLowerCase());
      return null;
    }
    if (readNumber(cells[0]) === null) return null;
    const sinceBoot = !this.#firstRowSeen;
    this.#firstRowSeen = true;
    const timestamp = takeTimestamp(cells);
    // With -t the header's last word is the time zone, which has no cell of its own.
    const columns = timestamp === null ? this.#columns : this.#columns.slice(0, -1);
    if (cells.length !== columns.length) {
      this.damagedRows += 1;
      return null;
    }
    return { sample: toSample(columns, cells), timestamp, sinceBoot };
  }

  /** Takes the end of a text that does not end in a newline. */
  pushUnfinished(line: string): void {
    if (readNumber(words(line)[0]) !== null) this.damagedRows += 1;
  }
}

/** Column names to fields, in lower case. `w`, `inact` and `active` have no field. */
const FIELDS: Readonly<Record<string, keyof VmSample>> = {
  r: 'r',
  b: 'b',
  swpd: 'swpd',
  free: 'free',
  frei: 'free',
  buff: 'buff',
  cache: 'cache',
  si: 'si',
  so: 'so',
  bi: 'bi',
  bo: 'bo',
  in: 'interrupts',
  cs: 'cs',
  us: 'us',
  sy: 'sy',
  id: 'idle',
  wa: 'wa',
  st: 'st',
  gu: 'gu',
};

/** These column names are the same in every release and translation. */
function isHeader(cells: readonly string[]): boolean {
  return ['cs', 'us', 'sy', 'id'].every((name) => cells.includes(name));
}

function takeTimestamp(cells: string[]): string | null {
  const [date, time] = cells.slice(-2);
  if (date === undefined || time === undefined) return null;
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d:\d\d$/.test(time)) return null;
  cells.splice(-2);
  return `${date} ${time}`;
}

function toSample(columns: readonly string[], cells: readonly string[]): VmSample {
  const sample: Record<keyof VmSample, number | null> = { ...NO_VALUES };
  for (const [index, column] of columns.entries()) {
    const field = FIELDS[column];
    if (field !== undefined) sample[field] = readNumber(cells[index]);
  }
  return sample;
}

const NO_VALUES: VmSample = {
  r: null,
  b: null,
  swpd: null,
  free: null,
  buff: null,
  cache: null,
  si: null,
  so: null,
  bi: null,
  bo: null,
  interrupts: null,
  cs: null,
  us: null,
  sy: null,
  idle: null,
  wa: null,
  st: null,
  gu: null,
};
