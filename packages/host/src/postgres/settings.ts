import type { RequestedSetting } from '../config/resolve-config.ts';

/** A row of pg_settings. */
export interface SettingRow {
  readonly name: string;
  readonly setting: string;
  readonly unit: string | null;
  readonly vartype: string;
  /** The words that an enum has, joined by commas; null for other types. */
  readonly enumvals: string | null;
  /** What it is when nobody sets it, in the form of `setting`. */
  readonly boot_val: string | null;
  readonly source: string;
  readonly pending_restart: boolean;
}

/** A setting with what was asked for, null where nothing was, and what the server has. */
export interface AppliedSetting extends SettingRow {
  readonly requested: string | null;
}

/** Joins what was requested to what the server has; a requested setting it does not know is left out. */
export function applySettings(
  requested: readonly RequestedSetting[],
  rows: readonly SettingRow[],
): AppliedSetting[] {
  const wanted = new Map(requested.map(({ name, value }) => [name, value]));
  return rows.map((row) => ({ ...row, requested: wanted.get(row.name.toLowerCase()) ?? null }));
}

/**
 * Every requested setting that did not take, in words with its name and both values: unknown to the
 * server, another value, another source than the configuration file, or waiting for a restart.
 *
 * @param rows all of pg_settings
 */
export function settingFaults(
  requested: readonly RequestedSetting[],
  rows: readonly SettingRow[],
): string[] {
  const byName = new Map(rows.map((row) => [row.name.toLowerCase(), row]));
  return requested.flatMap(({ name, value, origin }) => {
    const where = `${name} (${origin})`;
    const row = byName.get(name);
    if (row === undefined) return [`${where}: requested ${value}, but ${unknownSetting(name)}`];
    if (isLeftToServer(value, row)) return [];
    const shown = row.unit === null ? row.setting : `${row.setting} × ${row.unit}`;
    if (!sameValue(value, row)) return [`${where}: requested ${value}, the server has ${shown}`];
    if (row.source !== 'configuration file') {
      return [`${where}: requested ${value}, but its value ${shown} comes from: ${row.source}`];
    }
    return row.pending_restart ? [`${where}: requested ${value}, but it waits for a restart`] : [];
  });
}

/** The server takes any name with a dot, for an extension that may be loaded later; until then it is without effect. */
function unknownSetting(name: string): string {
  return name.includes('.')
    ? 'no extension that is loaded has this setting: name the extension in shared_preload_libraries'
    : 'this server has no such setting';
}

/** wal_buffers = -1 and the like: the default means "work it out from other settings", and that was done. */
function isLeftToServer(requested: string, row: SettingRow): boolean {
  return (
    row.source === 'override' &&
    row.boot_val !== null &&
    sameValue(requested, { ...row, setting: row.boot_val })
  );
}

/** Bytes and microseconds in each unit of PostgreSQL's configuration, the largest first. */
export const UNITS: readonly Readonly<Record<string, number>>[] = [
  { TB: 1024 ** 4, GB: 1024 ** 3, MB: 1024 ** 2, kB: 1024, B: 1 },
  { d: 86_400e6, h: 3_600e6, min: 60e6, s: 1e6, ms: 1e3, us: 1 },
];

/** Does a value as written in a file mean what pg_settings shows? */
export function sameValue(requested: string, row: SettingRow): boolean {
  switch (row.vartype) {
    case 'bool':
      return toBoolean(requested) === toBoolean(row.setting);
    case 'integer':
    case 'real':
      return sameNumber(requested, row);
    case 'enum':
      return sameWord(requested.toLowerCase(), row);
    default:
      return requested === row.setting || sameList(requested, row.setting);
  }
}

/**
 * Some enums take words that they do not list, such as "true" for on and "archive" for replica. The
 * server refuses to start with a word that means nothing, so those are taken on trust. Listed words are
 * all different, but for wal_compression's.
 */
function sameWord(requested: string, { setting, enumvals }: SettingRow): boolean {
  if (requested === 'on' && setting === 'pglz') return true;
  const isListed = enumvals?.split(',').includes(requested) ?? true;
  return isListed ? requested === setting : true;
}

/** Of lists, blanks and quotes do not count; of names such as time zones, neither does the case. */
function sameList(a: string, b: string): boolean {
  const normal = (list: string): string =>
    list
      .split(',')
      .map((item) => item.trim().replaceAll('"', '').toLowerCase())
      .join(',');
  return normal(a) === normal(b);
}

/** PostgreSQL takes any unambiguous beginning of on, off, true, false, yes, no, and 1 and 0. */
function toBoolean(text: string): boolean | null {
  const word = text.toLowerCase();
  if (word === '1' || word === 'on' || /^(t(rue|ru|r)?|y(es|e)?)$/.test(word)) return true;
  if (word === '0' || /^of{1,2}$/.test(word) || /^(f(alse|als|al|a)?|no?)$/.test(word))
    return false;
  return null;
}

/** As parse_int, parse_real and convert_to_base_unit of src/backend/utils/misc/guc.c. */
function sameNumber(requested: string, { setting, unit, vartype }: SettingRow): boolean {
  const match =
    /^\s*([-+]?(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?))\s*([A-Za-z]*)\s*$/i.exec(
      requested,
    );
  if (match === null) return false;
  const isInteger = vartype === 'integer';
  const value = toBaseUnit(readNumber(match[1] as string, isInteger), match[2] as string, unit);
  if (value === null) return false;
  // Reals are shown with six digits.
  return isInteger
    ? roundHalfEven(value) === readNumber(setting, true)
    : Number(value.toPrecision(6)) === Number(setting);
}

/** Integers are read as in C: 0x for hexadecimal, a leading 0 for octal (log_file_mode is shown so too). */
function readNumber(text: string, isInteger: boolean): number {
  if (/^[-+]?0x/i.test(text)) return Number.parseInt(text, 16);
  return isInteger && /^[-+]?0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number(text);
}

/** A fraction is first rounded to a multiple of the next smaller unit: 30.1GB is 30822MB. */
function toBaseUnit(value: number, unit: string, baseUnit: string | null): number | null {
  if (unit === '') return value;
  const [, factor, base] = /^(\d*)(\w+)$/.exec(baseUnit ?? '') ?? [];
  const table = UNITS.find((units) => unit in units && (base ?? '') in units);
  if (table === undefined) return null;
  const inBase = (name: string): number =>
    (table[name] as number) / ((table[base as string] as number) * Number(factor || '1'));
  const names = Object.keys(table);
  const smaller = names[names.indexOf(unit) + 1];
  const converted = value * inBase(unit);
  return smaller === undefined
    ? converted
    : roundHalfEven(converted / inBase(smaller)) * inBase(smaller);
}

/** C's rint. */
function roundHalfEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}
