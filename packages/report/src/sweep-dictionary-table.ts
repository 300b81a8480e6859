import type { Comparability } from '@ibench/core';
import { wordCell, wordColumn } from './cell.ts';
import { rowDifferences } from './row-differences.ts';
import type { RunGroup } from './run-group.ts';
import type { Table } from './table.ts';

/** What each row of a sweep is: only that in which it differs from the base. null where there is nothing. */
export function sweepDictionaryTable(
  groups: readonly RunGroup[],
  base: RunGroup,
  comparability: Comparability,
  load: string,
): Table | null {
  const differences = comparability.differences.filter(
    ({ area, kind }) => (area === 'setting' && kind !== 'follows') || area === 'build',
  );
  const rows = rowDifferences(groups, base, { ...comparability, differences }).map(
    ({ group, difference: { area, name }, value, baseValue }) => ({
      cells: [group.label, area, name, value, baseValue].map((text) => wordCell(text)),
    }),
  );
  if (rows.length === 0) return null;
  return {
    id: 'sweep_dictionary',
    step: null,
    title: `${load}: what differs from ${base.label}`,
    note: 'Settings, and how the build was made; what a version brings along by itself is left out',
    columns: [
      wordColumn('tag'),
      wordColumn('area'),
      wordColumn('name'),
      wordColumn('value'),
      wordColumn('base', 'in the base'),
    ],
    rows,
    footnotes: [],
  };
}
