import {
  decimate,
  formatClock,
  formatValue,
  type PackedSeries,
  type Points,
  rollingMedian,
  type TimeChart,
  type Unit,
} from '@ibench/chart';
import type { StepRow } from '../rows.ts';
import { serverWork } from './server-work.ts';

/** Points that a line of rolling medians is drawn through. */
const LINE_POINTS = 450;
/** Window of the rolling median, samples, where there is one each second. */
const WINDOW = 31;

/** What a chart over the seconds of a step shows. */
export interface TimeSource {
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  readonly scale: 'linear' | 'log';
  /** Rate that was asked for; null: none. */
  readonly target: number | null;
  /** The values of a row; null where it has none. */
  readonly points: (row: StepRow) => Points | null;
  /** The mean over the step, where the mean says something. */
  readonly mean: ((row: StepRow) => number | null) | null;
  /** Is a value the count of the second that begins at its x, which the end of the step may cut off? */
  readonly countsSeconds?: true;
  /** Are checkpoints and vacuums drawn behind it? */
  readonly showsServer?: true;
  /** Window of the rolling median, samples; 31 unless given. */
  readonly window?: number;
}

/** The chart of a source; null where no row has values. At most `limit` dots per row. */
export function timeChart(
  source: TimeSource,
  rows: readonly StepRow[],
  limit: number,
): TimeChart<PackedSeries> | null {
  const drawn = rows.flatMap((row) => {
    const points = source.points(row);
    return points === null || !hasValue(points) ? [] : [{ row, points }];
  });
  if (drawn.length === 0) return null;
  const first = drawn[0]!.row;
  const baseMean = first.row === 0 && !first.isInvalid ? (source.mean?.(first) ?? null) : null;
  const { id, title, unit, scale, target } = source;
  return {
    kind: 'time',
    id,
    title,
    description: describe(source, drawn),
    unit,
    scale,
    target,
    seconds: Math.max(...drawn.map(({ row }) => row.step.metrics.seconds)),
    rows: drawn.map(({ row, points }) => ({
      row: row.row,
      label: row.label,
      notes: notesOf(source, { row, points }, baseMean),
      server: source.showsServer ? serverWork(row.series) : null,
      dots: { points: decimate(points, limit), scale },
      line: {
        points: rollingMedian(
          points,
          source.window ?? WINDOW,
          Math.ceil(points.x.length / LINE_POINTS),
        ),
        scale,
      },
    })),
  };
}

interface DrawnRow {
  readonly row: StepRow;
  readonly points: Points;
}

function hasValue({ y }: Points): boolean {
  return Array.from(y).some((value) => !Number.isNaN(value));
}

function notesOf(source: TimeSource, { row, points }: DrawnRow, baseMean: number | null): string[] {
  const { unit } = source;
  const worst = largest(points);
  const notes: string[] = [];
  const mean = source.mean?.(row) ?? null;
  if (mean !== null) {
    const ratio =
      row.row === 0 || !row.isComparable || row.isInvalid || baseMean === null || baseMean === 0
        ? ''
        : ` (${(mean / baseMean).toFixed(2)}×)`;
    notes.push(`avg ${formatValue(unit, mean)}${ratio}`);
  } else {
    notes.push(`worst ${formatValue(unit, worst.value)} at ${formatClock(worst.at)}`);
  }
  const low = leastOf(source, { row, points });
  if (source.mean !== null && low !== null) notes.push(`min ${low}`);
  return notes;
}

/** The least value, of whole seconds; null where there is none. */
function leastOf({ unit, countsSeconds }: TimeSource, { row, points }: DrawnRow): string | null {
  const { value } = least(countsSeconds ? wholeSeconds(points, row.step.metrics.seconds) : points);
  return Number.isNaN(value) ? null : formatValue(unit, value);
}

/** Without the second that the end of the step cuts off. */
export function wholeSeconds({ x, y }: Points, seconds: number): Points {
  const whole = Array.from(x, (_, i) => i).filter((i) => x[i]! + 1 <= seconds);
  return { x: whole.map((i) => x[i]!), y: whole.map((i) => y[i]!) };
}

/** The largest value and where it is. */
export function largest(points: Points): { readonly value: number; readonly at: number } {
  return extreme(points, (a, b) => a > b);
}

/** The least value and where it is. */
export function least(points: Points): { readonly value: number; readonly at: number } {
  return extreme(points, (a, b) => a < b);
}

function extreme(
  { x, y }: Points,
  beats: (a: number, b: number) => boolean,
): { readonly value: number; readonly at: number } {
  let best = { value: Number.NaN, at: 0 };
  for (let i = 0; i < x.length; i++) {
    const value = y[i]!;
    if (!Number.isNaN(value) && (Number.isNaN(best.value) || beats(value, best.value))) {
      best = { value, at: x[i]! };
    }
  }
  return best;
}

function describe(source: TimeSource, drawn: readonly DrawnRow[]): string {
  const { unit, mean } = source;
  const parts = drawn.slice(0, 8).map(({ row, points }) => {
    const average = mean?.(row) ?? null;
    const worst = largest(points);
    const low = leastOf(source, { row, points });
    return average === null
      ? `${row.label}: worst ${formatValue(unit, worst.value)} at ${formatClock(worst.at)}`
      : `${row.label}: average ${formatValue(unit, average)}${low === null ? '' : `, least ${low}`}`;
  });
  const more = drawn.length > 8 ? `; and ${drawn.length - 8} more` : '';
  return `${parts.join('; ')}${more}.`;
}
