const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/**
 * A setting as people write it: `16384` in units of `8kB` is `128MB`, `300` in `s` is `300s`. Values that
 * mean something special (-1) and settings without a unit stay as the server shows them.
 */
export function settingText(value: string, unit: string | null): string {
  if (unit === null) return value;
  const [, factor, base] = /^(\d*)(B|kB|MB|GB|TB)$/.exec(unit) ?? [];
  const number = Number(value);
  if (number < 0 || Number.isNaN(number)) return value;
  if (base === undefined || number === 0) return `${value}${unit}`;
  let amount = number * Number(factor || '1');
  let at = BYTE_UNITS.indexOf(base as (typeof BYTE_UNITS)[number]);
  while (amount % 1024 === 0 && at < BYTE_UNITS.length - 1) {
    amount /= 1024;
    at++;
  }
  return `${amount}${BYTE_UNITS[at]}`;
}
