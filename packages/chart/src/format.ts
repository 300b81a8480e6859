import type { Unit } from './spec.ts';

/** A value with its unit, in three digits or whole numbers: `69,526/s`, `3.97 ms`, `12%`. */
export function formatValue(unit: Unit, value: number): string {
  if (Number.isNaN(value)) return 'none';
  switch (unit) {
    case 'rate':
      return `${grouped(value)}/s`;
    case 'time-us':
      return formatTime(value);
    case 'time-ms':
      return formatTime(value * 1000);
    case 'percent':
      return `${digits(value)}%`;
    case 'mb-rate':
      return `${digits(value)} MB/s`;
    case 'mb':
      return `${digits(value)} MB`;
    case 'us-per-op':
      return `${digits(value)} µs`;
    case 'count':
      return grouped(value);
    default: {
      const never: never = unit;
      return never;
    }
  }
}

/** The same for the ticks of an axis: short. */
export function formatTick(unit: Unit, value: number): string {
  switch (unit) {
    case 'time-us':
      return formatTime(value);
    case 'time-ms':
      return formatTime(value * 1000);
    case 'percent':
      return `${plain(value)}%`;
    default:
      return short(value);
  }
}

/** Seconds as minutes and seconds, or hours: `0:42`, `10:00`, `1:00:00`. */
export function formatClock(seconds: number): string {
  const whole = Math.round(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

function formatTime(us: number): string {
  if (us < 999.5) return `${plain(us)} us`;
  if (us < 999_500) return `${plain(us / 1e3)} ms`;
  return `${plain(us / 1e6)} s`;
}

function short(value: number): string {
  if (Math.abs(value) >= 1e6) return `${plain(value / 1e6)}M`;
  return Math.abs(value) >= 1e4 ? `${plain(value / 1e3)}k` : plain(value);
}

/** Three significant digits, no trailing zeros. */
function plain(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function digits(value: number): string {
  return Math.abs(value) >= 1000 ? grouped(value) : plain(value);
}

function grouped(value: number): string {
  if (Math.abs(value) < 100) return plain(value);
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}
