import { Random } from '../workload/random.ts';
import type { Cell, PlanFile, PlannedRun } from './plan-file.ts';

/**
 * The runs of a plan in order. Whatever the order, every cell is run once in each repeat.
 *
 * - `interleaved`: a repeat visits all cells, every other repeat backwards (A B C, C B A, …): a drift of
 *   the host over time, such as a disk that gets slower, hits all cells alike.
 * - `sequential`: all repeats of a cell, then those of the next.
 * - `shuffled`: a repeat visits all cells in an order of its own, drawn from the seed (random blocks).
 */
export function orderRuns(
  cells: readonly Cell[],
  repeats: number,
  order: PlanFile['order'],
): PlannedRun[] {
  const blocks = Array.from({ length: repeats }, (_, i) =>
    arrange(cells, i + 1, order).map((cell) => ({ cell, repeat: i + 1 })),
  );
  const runs =
    order.kind === 'sequential'
      ? cells.flatMap((_, cell) => blocks.map((block) => block[cell]!))
      : blocks.flat();
  return runs.map((run, i) => ({ ordinal: i + 1, ...run }));
}

function arrange(
  cells: readonly Cell[],
  repeat: number,
  { kind, seed }: PlanFile['order'],
): readonly Cell[] {
  switch (kind) {
    case 'interleaved':
      return repeat % 2 === 1 ? cells : cells.toReversed();
    case 'sequential':
      return cells;
    case 'shuffled':
      return shuffle(cells, seed, repeat);
    default: {
      const never: never = kind;
      return never;
    }
  }
}

/** Fisher and Yates. */
function shuffle(cells: readonly Cell[], seed: number, repeat: number): Cell[] {
  const random = new Random();
  random.seed(seed, repeat, cells.length);
  const shuffled = [...cells];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
  }
  return shuffled;
}
