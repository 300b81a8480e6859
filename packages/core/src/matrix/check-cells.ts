import { MAX_RUNS } from './axes.ts';
import { isExcluded } from './excludes.ts';
import type { Cell, PlanExclude } from './plan-file.ts';
import type { Problems } from './problem.ts';

const MAX_TAG = 100;

/** Collects what is wrong with the matrix as a whole: excludes without effect, no cells, too many, tags. */
export function checkCells(
  all: readonly Cell[],
  excludes: readonly PlanExclude[],
  repeats: number,
  problems: Problems,
): void {
  excludes.forEach((exclude, i) => {
    if (!all.some((cell) => isExcluded(cell, exclude))) {
      problems.add(['excludes', i], 'excludes no cell of this plan: expected one that matches');
    }
  });
  const cells = all.filter((cell) => !excludes.some((exclude) => isExcluded(cell, exclude)));
  if (cells.length === 0) {
    problems.add(['excludes'], `excludes leave none of ${all.length} cells: expected at least one`);
  }
  if (cells.length * repeats > MAX_RUNS) {
    problems.add(
      ['repeats'],
      `${cells.length} cells and ${repeats} repeats are ${cells.length * repeats} runs: expected at most ${MAX_RUNS}`,
    );
  }
  checkTags(cells, problems);
}

function checkTags(cells: readonly Cell[], problems: Problems): void {
  const seen = new Map<string, Cell>();
  for (const cell of cells) {
    const { tag, labels } = cell;
    if (tag.length > MAX_TAG) {
      problems.add(
        ['configs'],
        `tag "${tag}" has ${tag.length} characters: expected at most ${MAX_TAG}; give the entry a shorter one`,
      );
    }
    const key = `${labels.workload} ${tag}`;
    const other = seen.get(key);
    if (other !== undefined) {
      problems.add(
        ['builds'],
        `duplicate tag "${tag}": build ${other.labels.build} with config ${other.labels.config} has it too; give one of them another tag`,
      );
    }
    seen.set(key, cell);
  }
}
