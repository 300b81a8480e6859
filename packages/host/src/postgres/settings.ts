import type { RequestedSetting } from './config-file.ts';

/** A row of pg_settings. */
export interface SettingRow {
  readonly name: string;
  readonly setting: string;
  readonly unit: string | null;
  readonly vartype: string;
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
 */
export function settingFaults(
  requested: readonly RequestedSetting[],
  rows: readonly SettingRow[],
): string[] {
  const byName = new Map(rows.map((row) => [row.name.toLowerCase(), row]));
  return requested.flatMap(({ name, value, line }) => {
    const where = `${name} (line ${line})`;
    const row = byName.get(name);
    if (row === undefined)
      return [`${where}: requested ${value}, but this server has no such setting`];
    const shown = row.unit === null ? row.setting : `${row.setting} × ${row.unit}`;
    if (!sameValue(value, row)) return [`${where}: requested ${value}, the server has ${shown}`];
    if (row.source !== 'configuration file') {
      return [`${where}: requested ${value}, but its value ${shown} comes from: ${row.source}`];
    }
    return row.pending_restart ? [`${where}: requested ${value}, but it waits for a restart`] : [];
  });
}

/** Memory in kB and time in ms by their unit in PostgreSQL's configuration. */
const UNITS: Readonly<Record<string, number>> = {
  B: 1 / 1024,
  kB: 1,
  MB: 1024,
  GB: 1024 ** 2,
  TB: 1024 ** 3,
  us: 1 / 1000,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Does a value as written in a file mean what pg_settings shows? */
export function sameValue(requested: string, row: SettingRow): boolean {
  switch (row.vartype) {
    case 'bool':
      return toBoolean(requested) === toBoolean(row.setting);
    case 'integer':
    case 'real':
      return sameNumber(requested, row);
    case 'enum':
      return (
        requested.toLowerCase() === row.setting.toLowerCase() ||
        (toBoolean(requested) !== null && toBoolean(requested) === toBoolean(row.setting))
      );
    default:
      return requested === row.setting || sameList(requested, row.setting);
  }
}

function sameList(a: string, b: string): boolean {
  const normal = (list: string): string =>
    list
      .split(',')
      .map((item) => item.trim().replaceAll('"', ''))
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

function sameNumber(requested: string, { setting, unit, vartype }: SettingRow): boolean {
  const match = /^([-+]?(?:0x[\da-f]+|[\d.]+(?:e[-+]?\d+)?))\s*([A-Za-z]*)$/i.exec(requested);
  if (match === null) return false;
  const actual = Number(setting);
  let value = Number(match[1]);
  const requestedUnit = match[2] as string;
  if (requestedUnit !== '') {
    const [, factor, base] = /^(\d*)(\w+)$/.exec(unit ?? '') ?? [];
    const from = UNITS[requestedUnit];
    const to = UNITS[base ?? ''];
    if (from === undefined || to === undefined) return false;
    value = (value * from) / (to * Number(factor || '1'));
  }
  // An integer setting keeps the nearest whole multiple of its unit.
  const tolerance = vartype === 'integer' ? 0.5 : Math.abs(actual) * 1e-6;
  return Math.abs(value - actual) <= tolerance;
}
