import type { ClientRate } from '@ibench/core';
import { numberCell, numberColumn, wordCell, wordColumn } from './cell.ts';
import { type DoneStep, doneRepeats, median, medianMetric, type RunGroup } from './run-group.ts';
import type { Row, Table } from './table.ts';

/**
 * How evenly one step treated its clients, runs with more than one client; medians over repeats.
 * null where there is no such run, and in steps without clients.
 */
export function fairnessTable(groups: readonly RunGroup[], step: string): Table | null {
  const rows = groups.flatMap((group) => fairnessRow(group, step));
  if (rows.length === 0) return null;
  return {
    id: 'fairness',
    step,
    title: `${step}: fairness between clients`,
    note: 'inserts/s in l.*, queries/s in q*. slowest, fastest: of one client until its end; ratio: slowest / fastest; first, last end: s; all active: of all clients until the first end',
    columns: [
      numberColumn('clients'),
      numberColumn('min_rate', 'slowest'),
      numberColumn('max_rate', 'fastest'),
      numberColumn('client_rate_ratio', 'ratio'),
      numberColumn('first_finish_s', 'first end'),
      numberColumn('last_finish_s', 'last end'),
      numberColumn('all_active_rate', 'all active'),
      wordColumn('tag'),
    ],
    rows,
    footnotes: [],
  };
}

function fairnessRow(group: RunGroup, step: string): Row[] {
  const repeats = doneRepeats(group, step).filter(({ clients }) => clients.length > 1);
  if (repeats.length === 0) return [];
  const finish = ({ finishedS }: ClientRate): number => finishedS;
  const rate = (client: ClientRate): number | null => client.rate;
  return [
    {
      cells: [
        numberCell(median(repeats.map(({ clients }) => clients.length)), 0),
        numberCell(medianExtreme(repeats, rate, Math.min), 0),
        numberCell(medianExtreme(repeats, rate, Math.max), 0),
        numberCell(medianMetric(repeats, 'client_rate_ratio'), 2),
        numberCell(medianExtreme(repeats, finish, Math.min), 1),
        numberCell(medianExtreme(repeats, finish, Math.max), 1),
        numberCell(medianMetric(repeats, 'all_active_rate'), 0),
        wordCell(group.label),
      ],
    },
  ];
}

/** The extreme over the clients of each repeat that has the figure, and of these the median. */
function medianExtreme(
  repeats: readonly DoneStep[],
  figure: (client: ClientRate) => number | null,
  extreme: (...values: number[]) => number,
): number | null {
  const perRepeat = repeats.map(({ clients }) => {
    const known = clients.map(figure).filter((value) => value !== null);
    return known.length === 0 ? null : extreme(...known);
  });
  return median(perRepeat);
}
