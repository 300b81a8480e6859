import { numberCell, numberColumn, wordCell, wordColumn } from './cell.ts';
import { changeText } from './change-sentences.ts';
import {
  COMPARISON_MARKS,
  type ComparedStep,
  isUnsure,
  isWorthTelling,
} from './comparison-steps.ts';
import type { RelativeStep } from './relative-step.ts';
import { attemptNotes, type RunGroup } from './run-group.ts';
import { notDoneCell } from './summary-table.ts';
import { spreadCell } from './sweep-table.ts';
import type { Cell, Column, Table } from './table.ts';

/** A sentence for each step that changed by 5% or more, with the costs that moved with it. */
export function sentencesTable(steps: readonly ComparedStep[], a: RunGroup, b: RunGroup): Table {
  const told = steps.filter(isWorthTelling);
  return {
    id: 'comparison_sentences',
    step: null,
    title: `${b.label} against ${a.label}`,
    note: 'Steps that changed by 5% or more, unless the repeats do not tell it from noise, with the slowest and fastest repeat, and the costs that moved most in the direction that explains it',
    columns: [wordColumn('step'), wordColumn('sentence')],
    rows: told.map((step) => ({
      cells: [wordCell(step.step), wordCell(changeText(step, a.label, b.label))],
    })),
    footnotes: told.length === 0 ? ['No step changed by 5% or more beyond noise'] : [],
  };
}

/** Throughput of both sides in every step, with ratio, spread, p and verdict. */
export function comparisonTable(steps: readonly ComparedStep[], a: RunGroup, b: RunGroup): Table {
  return {
    id: 'comparison',
    step: null,
    title: `Throughput of ${b.label} relative to ${a.label}`,
    note: 'A, B: median over repeats; ratio: B / A [slowest–fastest repeat of B]; p: exact Mann-Whitney over repeats, two-sided; not told from noise: 5% or more, but p is above 0.05; cannot tell: with so few repeats p cannot be 0.05 or less',
    columns: [
      wordColumn('step'),
      numberColumn('a', `A: ${a.label}`),
      numberColumn('b', `B: ${b.label}`),
      numberColumn('ratio'),
      numberColumn('n_a', 'n A'),
      numberColumn('n_b', 'n B'),
      numberColumn('p'),
      wordColumn('verdict'),
      ...['a_min', 'a_max', 'b_min', 'b_max'].map(
        (key): Column => ({ ...numberColumn(key), dataOnly: true }),
      ),
    ],
    rows: steps.map((step) => ({ cells: comparisonCells(step) })),
    footnotes: [
      ...attemptNotes([a, b]),
      'n are repeats: the seconds of one run depend on each other and say nothing about another run',
    ],
  };
}

function comparisonCells(compared: ComparedStep): Cell[] {
  const { step, a, b, p, verdict } = compared;
  return [
    wordCell(step),
    throughputCell(a),
    throughputCell(b),
    { ...spreadCell(compared), mark: isUnsure(compared) ? 'unsure' : COMPARISON_MARKS[verdict] },
    numberCell(a.repeats.length, 0),
    numberCell(b.repeats.length, 0),
    pCell(p),
    wordCell(verdict),
    ...[a, b].flatMap(({ repeats }) => [extreme(repeats, Math.min), extreme(repeats, Math.max)]),
  ];
}

function throughputCell({ throughput }: RelativeStep): Cell {
  return (
    notDoneCell(throughput) ??
    numberCell(throughput.value, 0, throughput.missedSla ? 'missed-sla' : 'none')
  );
}

export function pCell(p: number | null): Cell {
  return numberCell(p, 3);
}

function extreme(values: readonly number[], of: (...values: number[]) => number): Cell {
  return numberCell(values.length === 0 ? null : of(...values), 0);
}
