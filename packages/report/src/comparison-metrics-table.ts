import {
  canDiffer,
  mannWhitney,
  relativeTo,
  type StepMetrics,
  type TimesSummary,
} from '@ibench/core';
import { blockCell, numberCell, numberColumn, wordCell, wordColumn } from './cell.ts';
import { pCell } from './comparison-tables.ts';
import { threeDigits } from './cost-text.ts';
import { type DoneStep, doneRepeats, median, type RunGroup } from './run-group.ts';
import type { Cell, Column, Row, Table } from './table.ts';

/** Every metric and every response time of both sides in every step. */
export function comparisonMetricsTable(steps: readonly string[], a: RunGroup, b: RunGroup): Table {
  return {
    id: 'comparison_metrics',
    step: null,
    title: `Every metric of ${b.label} relative to ${a.label}`,
    note: 'Medians over repeats [smallest–largest]; the metrics are explained in docs/STORE.md; times of statements in µs. p as above; blank where so few repeats cannot tell',
    columns: [
      wordColumn('step'),
      wordColumn('metric'),
      numberColumn('a', `A: ${a.label}`),
      numberColumn('b', `B: ${b.label}`),
      numberColumn('ratio'),
      numberColumn('p'),
      ...['a_min', 'a_max', 'b_min', 'b_max'].map(
        (key): Column => ({ ...numberColumn(key), dataOnly: true }),
      ),
    ],
    rows: steps.flatMap((step) => stepRows(step, a, b)),
    footnotes: [],
  };
}

function stepRows(step: string, a: RunGroup, b: RunGroup): Row[] {
  const [ofA, ofB] = [measured(a, step), measured(b, step)];
  const names = [...new Set([...ofA.keys(), ...ofB.keys()])];
  return names.map((name, i) =>
    metricRow([blockCell(step, i === 0), wordCell(name)], ofA.get(name) ?? [], ofB.get(name) ?? []),
  );
}

function metricRow(head: readonly Cell[], a: readonly number[], b: readonly number[]): Row {
  const ratio = relativeTo(median(a), median(b));
  const p = canDiffer(a.length, b.length) ? mannWhitney(a, b) : null;
  return {
    cells: [
      ...head,
      spreadCell(a),
      spreadCell(b),
      numberCell(ratio, 2),
      p === null ? { value: null, text: '', mark: 'absent' } : pCell(p),
      ...[a, b].flatMap((values) => [
        numberCell(values.length === 0 ? null : Math.min(...values), 3),
        numberCell(values.length === 0 ? null : Math.max(...values), 3),
      ]),
    ],
  };
}

function spreadCell(values: readonly number[]): Cell {
  const middle = median(values);
  if (middle === null) return numberCell(null, 0);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const spread = values.length < 2 ? '' : ` [${threeDigits(low)}–${threeDigits(high)}]`;
  return { value: middle, text: `${threeDigits(middle)}${spread}`, mark: 'none' };
}

/** The values of the repeats by the name of what was measured. */
function measured(group: RunGroup, step: string): Map<string, number[]> {
  const values = new Map<string, number[]>();
  for (const repeat of doneRepeats(group, step)) {
    for (const [name, value] of figures(repeat)) {
      values.set(name, [...(values.get(name) ?? []), value]);
    }
  }
  return values;
}

/** What is left of a difference of floating point numbers that is zero. */
const DUST = 1e-9;

function figures({ metrics, times }: DoneStep): [string, number][] {
  const numbers = Object.entries(metrics as StepMetrics)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number')
    .map(([name, value]): [string, number] => [name, Math.abs(value) < DUST ? 0 : value]);
  return [...numbers, ...times.filter(({ count }) => count > 0).flatMap(timesFigures)];
}

function timesFigures({ kind, clock, percentiles, maxUs }: TimesSummary): [string, number][] {
  return [...Object.entries(percentiles), ['max', maxUs] as const].map(([name, us]) => [
    `${kind} ${clock} ${name}`,
    us,
  ]);
}
