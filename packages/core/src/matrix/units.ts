const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };

/** A duration such as `30s`, `90m`, `6h`, `2d` or `1h30m` in seconds; null for anything else. */
export function parseDuration(text: string): number | null {
  const parts = /^(?:\d+(?:\.\d+)?(?:s|min|m|h|d)\s*)+$/.test(text)
    ? [...text.matchAll(/(\d+(?:\.\d+)?)(s|min|m|h|d)/g)]
    : [];
  if (parts.length === 0) return null;
  const units = parts.map((part) => SECONDS[part[2]!]!);
  const isDescending = units.every((unit, i) => i === 0 || unit < units[i - 1]!);
  if (!isDescending) return null;
  return parts.reduce((sum, part, i) => sum + Number(part[1]) * units[i]!, 0);
}

const BYTES: Readonly<Record<string, number>> = {
  kB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
};

/** A size with one of PostgreSQL's units, such as `512MB` or `20GB`, in bytes; null for anything else. */
export function parseSize(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?) ?(kB|MB|GB|TB)$/.exec(text);
  return match === null ? null : Math.round(Number(match[1]) * BYTES[match[2]!]!);
}
