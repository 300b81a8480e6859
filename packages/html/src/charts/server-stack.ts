import { bucketMeans, type PackedSeries, type Points, type StackChart } from '@ibench/chart';
import type { StepRow } from '../rows.ts';

/** Series of several names at the same seconds. */
export interface NamedSeries {
  readonly seconds: readonly number[];
  readonly values: ReadonlyMap<string, readonly number[]>;
}

/** Who or what took part in something of the server over the seconds of a step. */
export interface StackSource {
  readonly id: string;
  readonly title: string;
  /** Names that have a layer of their own, the lowest first; all steps have the same colours. */
  readonly names: readonly string[];
  /** The layer of all others together. */
  readonly others: string;
  /** Stacks have at most this many positions. */
  readonly most: number;
  readonly series: (row: StepRow) => NamedSeries;
  readonly notes: (row: StepRow) => string[];
}

/** The chart of a source over these rows, all of which it is about; null for none. */
export function serverStack(
  { id, title, names, others, most, series, notes }: StackSource,
  rows: readonly StepRow[],
): StackChart<PackedSeries> | null {
  if (rows.length === 0) return null;
  const seconds = Math.max(...rows.map(({ step }) => step.metrics.seconds));
  const bucket = Math.max(1, Math.ceil(seconds / most));
  const stacks = rows.map((row) => layersOf(series(row), names, bucket));
  return {
    kind: 'stack',
    id,
    title: bucket === 1 ? title : `${title}, means of ${bucket} s`,
    description: rows.map((row) => `${row.label}: ${notes(row).join(', ')}`).join('; '),
    unit: 'count',
    seconds,
    top: null,
    limit: cpuLimit(rows, stacks),
    layers: [...names, others],
    rows: rows.map((row, i) => ({
      row: row.row,
      label: row.label,
      notes: notes(row),
      layers: stacks[i]!.map((points) => ({ points, scale: 'linear' as const })),
    })),
  };
}

/** A layer of means for each of these names, the first at the bottom, and one for all others together. */
function layersOf(
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
function cpuLimit(
  rows: readonly StepRow[],
  stacks: readonly (readonly Points[])[],
): StackChart<PackedSeries>['limit'] {
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
