import type { SlaFigures } from '@ibench/core';
import { numberCell, numberColumn, wordCell, wordColumn } from './cell.ts';
import { type DoneStep, doneRepeats, median, type RunGroup } from './run-group.ts';
import type { Row, Table } from './table.ts';

/**
 * How a step kept its target rate second by second, over all clients and of the client that fared worst in
 * each respect; medians over repeats. null where no run has a target rate in the step.
 */
export function deficitsTable(groups: readonly RunGroup[], step: string): Table | null {
  const rows = groups.flatMap((group) => deficitsRow(group, step));
  if (rows.length === 0) return null;
  return {
    id: 'deficits',
    step,
    title: `${step}: background inserts, second by second`,
    note: 'average: inserts/s achieved of those asked for, %; below: seconds in which under 95% of what was due was inserted, %; deficit: most of these in a row; 10 s: of all 10 seconds in a row those with the least, % of what was due in them; backlog: most rows overdue at the end of a second; worst: of one client',
    columns: [
      ...FIGURES.map(({ key, label }) => numberColumn(key, label)),
      ...FIGURES.map(({ key, label }) => numberColumn(`worst_${key}`, `worst ${label}`)),
      wordColumn('tag'),
    ],
    rows,
    footnotes: [],
  };
}

interface Figure {
  readonly key: string;
  readonly label: string;
  readonly decimals: number;
  /** null: not known. */
  readonly of: (figures: SlaFigures) => number | null;
  readonly worst: (...values: number[]) => number;
}

const FIGURES: readonly Figure[] = [
  {
    key: 'average_pct',
    label: 'average %',
    decimals: 1,
    of: ({ average }) => 100 * average,
    worst: Math.min,
  },
  {
    key: 'below_pct',
    label: 'below %',
    decimals: 1,
    of: ({ belowShare }) => 100 * belowShare,
    worst: Math.max,
  },
  {
    key: 'window_pct',
    label: '10 s %',
    decimals: 1,
    of: ({ worstWindowShare }) => (worstWindowShare === null ? null : 100 * worstWindowShare),
    worst: Math.min,
  },
  {
    key: 'longest_deficit_s',
    label: 'deficit s',
    decimals: 0,
    of: ({ longestDeficitS }) => longestDeficitS,
    worst: Math.max,
  },
  {
    key: 'largest_backlog_rows',
    label: 'backlog',
    decimals: 0,
    of: ({ largestBacklogRows }) => largestBacklogRows,
    worst: Math.max,
  },
];

function deficitsRow(group: RunGroup, step: string): Row[] {
  const repeats = doneRepeats(group, step).filter(({ sla }) => sla.length > 0);
  if (repeats.length === 0) return [];
  const together = FIGURES.map(({ of, decimals }) =>
    numberCell(median(repeats.map(({ sla }) => of(sla[0]!))), decimals),
  );
  const worst = FIGURES.map((figure) =>
    numberCell(median(repeats.map((repeat) => worstOf(repeat, figure))), figure.decimals),
  );
  return [{ cells: [...together, ...worst, wordCell(group.label)] }];
}

function worstOf({ sla }: DoneStep, { of, worst }: Figure): number | null {
  const clients = sla.filter(({ client }) => client !== null).map(of);
  const known = clients.filter((value) => value !== null);
  return known.length === 0 ? null : worst(...known);
}
