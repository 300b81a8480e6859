import type { Comparability } from '@ibench/core';
import { blockCell, wordCell, wordColumn } from './cell.ts';
import { KIND_WORDS, shortDigests } from './comparability-table.ts';
import { type RowDifference, rowDifferences } from './row-differences.ts';
import type { RunGroup } from './run-group.ts';
import type { Row, Table } from './table.ts';

/**
 * Settings and facts of the build in which each row differs from the base, also those that a version brings along.
 * null where there are none.
 */
export function settingsTable(
  groups: readonly RunGroup[],
  base: RunGroup,
  comparability: Comparability,
): Table | null {
  const differences = comparability.differences.filter(
    ({ area }) => area === 'setting' || area === 'build',
  );
  const found = rowDifferences(groups, base, { ...comparability, differences });
  if (found.length === 0) return null;
  return {
    id: 'settings',
    step: null,
    title: `Settings and builds: what differs from ${base.label}`,
    note: 'What is as in the base is left out. besides the axis: not what is under test; comes with it: by the version, or computed from other settings',
    columns: [
      wordColumn('tag'),
      wordColumn('what'),
      wordColumn('area'),
      wordColumn('name'),
      wordColumn('value'),
      wordColumn('base', 'in the base'),
    ],
    rows: found.map((one, i) => rowOf(one, found[i - 1])),
    footnotes: [],
  };
}

function rowOf(
  { group, difference, value, baseValue }: RowDifference,
  before?: RowDifference,
): Row {
  const { kind, area, name } = difference;
  const words = [KIND_WORDS[kind], area, name, shortDigests(value), shortDigests(baseValue)];
  const tag = blockCell(group.label, before?.group !== group);
  return { cells: [tag, ...words.map((text) => wordCell(text))] };
}
