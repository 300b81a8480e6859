import { UNITS } from '../postgres/settings.ts';

/**
 * A value in a setting's own unit as people write it, like `show` does: 16384 of 8kB is 128MB. Only what is
 * more than zero is a quantity; -1 and 0 stand for something.
 *
 * @param unit as in pg_settings: `8kB`, `ms`; null for none
 */
export function describeValue(value: string, unit: string | null): string {
  const [, factor, name] = /^(\d*)(\w+)$/.exec(unit ?? '') ?? [];
  const table = UNITS.find((units) => (name ?? '') in units);
  if (table === undefined || !(Number(value) > 0)) return value;
  const amount = Number(value) * Number(factor || '1') * (table[name as string] as number);
  const [largest, size] = Object.entries(table).find(([, one]) => amount % one === 0) ?? [];
  return largest === undefined ? `${value}${unit}` : `${amount / (size as number)}${largest}`;
}
