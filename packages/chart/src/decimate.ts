import type { Points } from './spec.ts';

/**
 * M4 (Jugel et al., VLDB 2014): of each bucket of positions the first, the least, the largest and the last
 * value, in their order. Nothing that stands out is lost, whatever its length. Gaps stay out.
 */
function m4(points: Points, bucket: number): Points {
  const x: number[] = [];
  const y: number[] = [];
  let kept: Bucket | null = null;
  const flush = (): void => {
    if (kept === null) return;
    const { first, least, largest, last } = kept;
    for (const i of [...new Set([first, least, largest, last])].sort((a, b) => a - b)) {
      x.push(points.x[i]!);
      y.push(points.y[i]!);
    }
  };
  for (let i = 0; i < points.x.length; i++) {
    const value = points.y[i]!;
    if (Number.isNaN(value)) continue;
    const number = Math.floor(points.x[i]! / bucket);
    if (kept === null || kept.number !== number) {
      flush();
      kept = { number, first: i, least: i, largest: i, last: i };
    } else {
      kept.last = i;
      if (value < points.y[kept.least]!) kept.least = i;
      if (value > points.y[kept.largest]!) kept.largest = i;
    }
  }
  flush();
  return { x, y };
}

interface Bucket {
  readonly number: number;
  readonly first: number;
  least: number;
  largest: number;
  last: number;
}

/** The points themselves where there are few enough, else their M4 with about `limit` points. */
export function decimate(points: Points, limit: number): Points {
  const count = points.x.length;
  if (count <= limit) return points;
  const span = points.x[count - 1]! - points.x[0]! + 1;
  return m4(points, span / Math.max(1, Math.floor(limit / 4)));
}

/**
 * The median of the `window` values around each `every`-th point; gaps do not count. At the ends the window
 * is cut off.
 */
export function rollingMedian({ x, y }: Points, window: number, every: number): Points {
  const half = Math.floor(window / 2);
  const positions: number[] = [];
  const medians: number[] = [];
  for (let i = 0; i < x.length; i = nextPosition(i, every, x.length)) {
    const around: number[] = [];
    for (let j = Math.max(0, i - half); j <= Math.min(x.length - 1, i + half); j++) {
      if (!Number.isNaN(y[j]!)) around.push(y[j]!);
    }
    around.sort((a, b) => a - b);
    positions.push(x[i]!);
    medians.push(middle(around));
  }
  return { x: positions, y: medians };
}

/** Every `every`-th, and the last. */
function nextPosition(i: number, every: number, count: number): number {
  return i < count - 1 ? Math.min(i + every, count - 1) : count;
}

function middle(sorted: readonly number[]): number {
  if (sorted.length === 0) return Number.NaN;
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}

/**
 * Means of the values in buckets of this many whole positions, at the middle one of each, so that a bucket of one
 * stays where it is; gaps do not count.
 */
export function bucketMeans({ x, y }: Points, bucket: number): Points {
  const sums = new Map<number, { sum: number; count: number }>();
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(y[i]!)) continue;
    const number = Math.floor(x[i]! / bucket);
    const entry = sums.get(number) ?? { sum: 0, count: 0 };
    sums.set(number, { sum: entry.sum + y[i]!, count: entry.count + 1 });
  }
  const numbers = [...sums.keys()].sort((a, b) => a - b);
  return {
    x: numbers.map((number) => number * bucket + (bucket - 1) / 2),
    y: numbers.map((number) => sums.get(number)!.sum / sums.get(number)!.count),
  };
}
