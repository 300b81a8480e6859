import { groupStep, type RunGroup } from './run-group.ts';
import type { Cell, Row, Table } from './table.ts';

/** Makes the table of a step from the rows that are done and valid; null where there are none. */
type StepTable = (groups: readonly RunGroup[], step: string) => Table | null;

/**
 * The table of a step, and below it the rows in which the step is done and invalid in every repeat: what the
 * last repeat had, marked, without a value, so that they are in no mean, mark or ratio.
 */
export function withInvalidRows(
  make: StepTable,
  groups: readonly RunGroup[],
  step: string,
): Table | null {
  const valid = make(groups, step);
  const invalid = groups.flatMap((group) => {
    const alone = lastInvalid(group, step);
    return alone === null ? [] : (make([alone], step) ?? []);
  });
  if (invalid.length === 0) return valid;
  const rows = invalid.flatMap((table) => table.rows.map((row) => asInvalid(table, row.cells)));
  return {
    ...(valid ?? invalid[0]!),
    rows: [...(valid?.rows ?? []), ...rows],
    footnotes: [...(valid?.footnotes ?? []), INVALID_NOTE],
  };
}

/** The footnote of a table with invalid cells. */
export const INVALID_NOTE =
  '⊘ invalid: not to be used, and in no average, comparison or verdict; why is in the warnings';

/** The last repeat of a row that has no valid one, as if it were valid; null for all other rows. */
function lastInvalid(group: RunGroup, step: string): RunGroup | null {
  const outcome = groupStep(group, step);
  if (outcome.state !== 'invalid') return null;
  const last = outcome.repeats.at(-1)!;
  const run = group.runs.findLast(({ steps }) => steps.some((one) => one === last))!;
  return { ...group, runs: [{ ...run, steps: [{ ...last, audits: [] }] }] };
}

/** The tag has the mark, and other words are grey; both stay values: they say what it is that is invalid. */
function asInvalid({ columns }: Table, cells: readonly Cell[]): Row {
  return {
    cells: cells.map((cell, i): Cell => {
      const { key, align } = columns[i]!;
      if (align === 'left') return { ...cell, mark: key === 'tag' ? 'invalid' : 'absent' };
      return { value: null, text: cell.text, mark: isEmpty(cell) ? 'absent' : 'invalid' };
    }),
  };
}

function isEmpty({ text, mark }: Cell): boolean {
  return text === '' || mark === 'absent';
}
