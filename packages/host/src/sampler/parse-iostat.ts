import type { IoSample } from '@ibench/core';
import { readCell, toIoSample } from './iostat-columns.ts';
import { readIostatJson } from './iostat-json.ts';
import { readNumber, splitLines, words } from './text.ts';

/** The CPU line of an iostat report, in % of the whole machine; null: no such column. */
export interface IostatCpu {
  readonly user: number | null;
  readonly nice: number | null;
  readonly system: number | null;
  readonly iowait: number | null;
  readonly steal: number | null;
  readonly idle: number | null;
}

/** One report of `iostat -x`. */
export interface IoReport {
  /** As printed by `iostat -t`; null: not printed. */
  readonly timestamp: string | null;
  /** null: no CPU block. */
  readonly cpu: IostatCpu | null;
  readonly devices: readonly IoSample[];
  /** Rows of this report left out because they have more or fewer cells than their header. */
  readonly damagedRows: number;
  /** The averages since boot, which iostat prints first unless it runs with -y: no sample of any interval. */
  readonly sinceBoot: boolean;
}

/** How iostat was started. */
export interface IostatFlags {
  /** It ran with -y and printed no report since boot. Default: false. */
  readonly omitsSinceBoot?: boolean;
}

/** Parses everything `iostat -x` printed, as text or as JSON. A last row without its newline counts as damaged. */
export function parseIostat(text: string, flags: IostatFlags = {}): IoReport[] {
  const reader = new IostatReader(flags);
  const { lines, unfinished } = splitLines(text);
  const reports = lines.map((line) => reader.push(line));
  reader.pushUnfinished(unfinished);
  return [...reports, reader.end()].filter((report) => report !== null);
}

interface OpenReport {
  readonly timestamp: string | null;
  cpu: IostatCpu | null;
  readonly devices: Map<string, IoSample>;
  damagedRows: number;
  hasDeviceBlock: boolean;
}

/**
 * The same line by line, for an iostat that is running.
 *
 * A report is an optional timestamp, an optional CPU block, then a header and a row per device. It is over at the
 * blank line after its rows; where those blank lines or the repeated headers were filtered out, when
 * the next CPU block, header or row of the same device comes.
 */
export class IostatReader {
  readonly #omitsSinceBoot: boolean;
  #reports = 0;
  #open: OpenReport | null = null;
  #timestamp: string | null = null;
  #cpuColumns: readonly string[] | null = null;
  #columns: readonly string[] | null = null;

  constructor(flags: IostatFlags = {}) {
    this.#omitsSinceBoot = flags.omitsSinceBoot ?? false;
  }

  /** Takes one line without its newline; returns the report that this line showed to be complete, or null. */
  push(line: string): IoReport | null {
    const json = readIostatJson(line);
    if (json !== null) {
      switch (json.kind) {
        case 'timestamp':
          this.#timestamp = json.text;
          return null;
        case 'cpu':
          return this.#beginCpu(toCpu(json.cells));
        case 'disks':
          return this.#beginDeviceBlock();
        case 'disk':
          return this.#addDevice(json.device, json.cells);
        case 'damaged':
          return this.#addDamaged();
        default: {
          const never: never = json;
          return never;
        }
      }
    }
    return this.#pushWords(words(line));
  }

  /** Takes the end of a text that does not end in a newline. */
  pushUnfinished(line: string): void {
    const kind = readIostatJson(line)?.kind;
    const isJsonRow = kind === 'disk' || kind === 'damaged';
    if (isJsonRow || (this.#columns !== null && looksLikeRow(words(line)))) this.#addDamaged();
  }

  /** The report that was still open when the text ended, or null. It may lack devices. */
  end(): IoReport | null {
    const open = this.#open;
    this.#open = null;
    if (open === null) return null;
    this.#reports += 1;
    const sinceBoot = this.#reports === 1 && !this.#omitsSinceBoot;
    const { timestamp, cpu, damagedRows } = open;
    return { timestamp, cpu, devices: [...open.devices.values()], damagedRows, sinceBoot };
  }

  #pushWords(cells: readonly string[]): IoReport | null {
    const [first] = cells;
    if (first === undefined) return this.#open?.hasDeviceBlock ? this.end() : null;
    if (isTimestamp(cells)) {
      this.#timestamp = cells.join(' ');
      return null;
    }
    if (first === 'avg-cpu:') {
      this.#cpuColumns = cells.slice(1);
      return this.#beginCpu(null);
    }
    if (this.#cpuColumns !== null && readCell(first) !== null) return this.#addCpu(cells);
    if (cells.includes('r/s') && cells.includes('w/s')) {
      // Something may stand before "Device" in a log of a terminal.
      const deviceColumn = cells.findIndex((cell) => /Device:?$/.test(cell));
      this.#columns = cells.slice(Math.max(deviceColumn, 0) + 1);
      return this.#beginDeviceBlock();
    }
    if (this.#columns === null || !this.#isRow(cells)) return null;
    const values = cells.slice(1);
    if (values.length !== this.#columns.length) return this.#addDamaged();
    return this.#addDevice(first, zip(this.#columns, values));
  }

  #isRow(cells: readonly string[]): boolean {
    // A row cut off after the name looks like any other word, so it must stand among rows.
    return cells.length === 1 ? (this.#open?.hasDeviceBlock ?? false) : looksLikeRow(cells);
  }

  #beginCpu(cpu: IostatCpu | null): IoReport | null {
    const done = this.end();
    this.#ensureOpen().cpu = cpu;
    return done;
  }

  #addCpu(cells: readonly string[]): null {
    const columns = this.#cpuColumns ?? [];
    this.#cpuColumns = null;
    const open = this.#ensureOpen();
    if (cells.length === columns.length) open.cpu = toCpu(zip(columns, cells));
    else open.damagedRows += 1;
    return null;
  }

  #beginDeviceBlock(): IoReport | null {
    const done = this.#open?.hasDeviceBlock ? this.end() : null;
    this.#ensureOpen().hasDeviceBlock = true;
    return done;
  }

  #addDevice(device: string, cells: Iterable<readonly [string, string]>): IoReport | null {
    const done = this.#open?.devices.has(device) ? this.end() : null;
    const open = this.#ensureOpen();
    open.hasDeviceBlock = true;
    open.devices.set(device, toIoSample(device, cells));
    return done;
  }

  #addDamaged(): null {
    this.#ensureOpen().damagedRows += 1;
    return null;
  }

  #ensureOpen(): OpenReport {
    if (this.#open !== null) return this.#open;
    const timestamp = this.#timestamp;
    this.#timestamp = null;
    this.#open = {
      timestamp,
      cpu: null,
      devices: new Map(),
      damagedRows: 0,
      hasDeviceBlock: false,
    };
    return this.#open;
  }
}

/** A name and then a number: not the banner, nor a line of script(1). */
function looksLikeRow(cells: readonly string[]): boolean {
  return cells.length > 1 && readCell(cells[1]) !== null;
}

/** `11/30/26 12:34:09`, `30.11.2026 12:34:09`, `2026-11-30T12:34:09+0000`, `Time: 12:34:09`. */
function isTimestamp(cells: readonly string[]): boolean {
  return /^(?:Time:|\d+[-/.]\d+[-/.]\d+[T ]) ?\d\d:\d\d:\d\d/.test(cells.join(' '));
}

function toCpu(cells: Iterable<readonly [string, string]>): IostatCpu {
  const byName = new Map<string, string>();
  for (const [name, cell] of cells) byName.set(name.replace('%', ''), cell);
  const read = (name: string): number | null => {
    const cell = byName.get(name);
    return cell === undefined ? null : readNumber(cell.replace(/%$/, ''));
  };
  return {
    user: read('user'),
    nice: read('nice'),
    system: read('system'),
    iowait: read('iowait'),
    steal: read('steal'),
    idle: read('idle'),
  };
}

function zip(names: readonly string[], cells: readonly string[]): [string, string][] {
  return names.map((name, index) => [name, cells[index] ?? '']);
}
