import { type Comparability, type ComparedRun, valuesOf } from '@ibench/core';
import { wordCell, wordColumn } from './cell.ts';
import type { RunGroup } from './run-group.ts';
import type { Row, Table } from './table.ts';

/** What each row of a sweep is: only that in which it differs from the base. null where there is nothing. */
export function sweepDictionaryTable(
  groups: readonly RunGroup[],
  base: RunGroup,
  { differences }: Comparability,
  load: string,
): Table | null {
  const told = differences.filter(
    ({ area, kind }) => (area === 'setting' && kind !== 'follows') || area === 'build',
  );
  const rows = groups.flatMap((group) =>
    told.flatMap((difference): Row[] => {
      const [value, baseValue] = [group, base].map(({ runs }) =>
        valuesOf(difference, runs as readonly ComparedRun[])
          .map((one) => one.value)
          .join(' or '),
      ) as [string, string];
      if (value === baseValue) return [];
      const cells = [group.label, difference.area, difference.name, value, baseValue];
      return [{ cells: cells.map((text) => wordCell(text)) }];
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
