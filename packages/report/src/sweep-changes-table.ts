import { numberCell, numberColumn, wordCell, wordColumn } from './cell.ts';
import { isWorthTelling } from './comparison-steps.ts';
import { costsText } from './cost-text.ts';
import { type SweepRow, spreadCell } from './sweep-table.ts';
import type { Table } from './table.ts';

/** Every verdict of a sweep with what moved with it, one row each; null where nothing changed. */
export function sweepChangesTable(
  rows: readonly SweepRow[],
  steps: readonly string[],
  load: string,
): Table | null {
  const changes = rows.flatMap((row) =>
    steps.flatMap((step) => {
      const compared = row.steps.get(step)!;
      return isWorthTelling(compared) ? [{ row, step, compared }] : [];
    }),
  );
  if (changes.length === 0) return null;
  return {
    id: 'sweep_changes',
    step: null,
    title: `${load}: what got faster or slower, and what moved with it`,
    note: 'Without what the repeats do not tell from noise. The costs per operation that moved most in the direction that explains the change, base → row, at most three',
    columns: [
      wordColumn('tag'),
      wordColumn('step'),
      numberColumn('relative'),
      numberColumn('n'),
      wordColumn('moved'),
    ],
    rows: changes.map(({ row, step, compared }) => ({
      cells: [
        wordCell(row.group.label),
        wordCell(step),
        spreadCell(compared),
        numberCell(compared.b.repeats.length, 0),
        wordCell(costsText(compared.b.costs, step)),
      ],
    })),
    footnotes: [],
  };
}
