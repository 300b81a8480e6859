import { bucketMeans, type Points, type StackChart } from '@ibench/chart';
import type { StepRow } from '../rows.ts';

/** Series of several names at the same seconds. */
export interface NamedSeries {
  readonly seconds: readonly number[];
  readonly values: ReadonlyMap<string, readonly number[]>;
}

/** A layer of means for each of these names, the first at the bottom, and one for all others together. */
export function layersOf(
  { seconds, values }: NamedSeries,
  names: readonly string[],
  bucket: number,
): Points[] {
  const others = [...values.keys()].filter((name) => !names.includes(name));
  return [...names.map((name) => [name]), others].map((layer) => {
    const y = seconds.map((_, i) =>
      layer.reduce((sum, name) => sum + (values.get(name)?.[i] ?? 0), 0),
    );
    return bucketMeans({ x: seconds, y }, bucket);
  });
}

/** A line this many times higher than the stacks would leave nothing of them to be seen. */
const HIGHEST_LIMIT = 3;

/** A line at the number of CPUs, where all rows have the same and the stacks come near it. */
export function cpuLimit(
  rows: readonly StepRow[],
  stacks: readonly (readonly Points[])[],
): StackChart<never>['limit'] {
  const cpus = rows[0]?.cpus ?? null;
  if (cpus === null || rows.some((row) => row.cpus !== cpus)) return null;
  const highest = Math.max(...stacks.flatMap(heights));
  return cpus <= HIGHEST_LIMIT * highest ? { value: cpus, label: `${cpus} CPUs` } : null;
}

function heights(layers: readonly Points[]): number[] {
  return Array.from(layers[0]?.x ?? [], (_, i) =>
    layers.reduce((sum, { y }) => sum + (y[i] ?? 0), 0),
  );
}
