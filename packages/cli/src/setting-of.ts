import type { ServerConfig } from '@ibench/host';

/** Value that a configuration asks for; null where it leaves the default. */
export function settingOf(config: ServerConfig, name: string): string | null {
  return config.settings.find((setting) => setting.name === name)?.value ?? null;
}

const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
};

/** PostgreSQL's own default of max_wal_size. */
const DEFAULT_MAX_WAL_BYTES = 1024 ** 3;

/** max_wal_size of a configuration in bytes; a number without unit is in MB. */
export function maxWalBytes(config: ServerConfig): number {
  const value = settingOf(config, 'max_wal_size');
  const match = /^\s*(\d+(?:\.\d+)?)\s*(B|kB|MB|GB|TB)?\s*$/.exec(value ?? '');
  if (match === null) return DEFAULT_MAX_WAL_BYTES;
  return Number(match[1]) * (UNITS[match[2] ?? 'MB'] as number);
}
