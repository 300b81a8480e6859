import { type ClassifiedDifference, type Comparability, valuesOf } from '@ibench/core';
import type { RunGroup } from './run-group.ts';

/** Something in which a row differs from the base. */
export interface RowDifference {
  readonly group: RunGroup;
  readonly difference: ClassifiedDifference;
  /** Where the repeats of a row differ, all values with "or" between them. */
  readonly value: string;
  readonly baseValue: string;
}

/** In what each row differs from the base, row by row. Runs that were not compared have nothing to say. */
export function rowDifferences(
  groups: readonly RunGroup[],
  base: RunGroup,
  { runs, differences }: Pick<Comparability, 'runs' | 'differences'>,
): RowDifference[] {
  const compared = new Set(runs.map(({ runId }) => runId));
  const textOf = (difference: ClassifiedDifference, group: RunGroup): string | null => {
    const own = group.runs.filter(({ runId }) => compared.has(runId));
    const values = valuesOf(difference, own).map(({ value }) => value);
    return values.length === 0 ? null : values.sort().join(' or ');
  };
  return groups.flatMap((group) =>
    differences.flatMap((difference) => {
      const [value, baseValue] = [textOf(difference, group), textOf(difference, base)];
      if (value === null || baseValue === null || value === baseValue) return [];
      return [{ group, difference, value, baseValue }];
    }),
  );
}
