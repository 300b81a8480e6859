const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Bytes for reading, in powers of 1024 as everywhere in the reports: `1.5 GB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}
