import type { PlannedRun } from '@ibench/core';
import type { Cell, Column, Table } from '@ibench/report';
import type { LoadedPlan } from './load-plan.ts';

/** The matrix of a plan and the order of its runs, as tables. */
export function planTables({ plan, runs }: LoadedPlan): Table[] {
  return [cellTable(plan.name, runs), orderTable(plan.order.kind, runs)];
}

function cellTable(name: string, runs: readonly PlannedRun[]): Table {
  const cells = [...new Set(runs.map(({ cell }) => cell))];
  return {
    id: 'cells',
    step: null,
    title: `Plan ${name}`,
    note: `${cells.length} cells, ${runs.length} runs`,
    columns: [left('tag'), left('workload'), left('build'), left('config')],
    rows: cells.map(({ tag, labels }) => ({
      cells: [tag, labels.workload, labels.build, labels.config].map(text),
    })),
    footnotes: [],
  };
}

function orderTable(order: string, runs: readonly PlannedRun[]): Table {
  return {
    id: 'order',
    step: null,
    title: 'Order of the runs',
    note: order,
    columns: [right('run'), left('tag'), left('workload'), right('repeat')],
    rows: runs.map(({ ordinal, cell, repeat }) => ({
      cells: [number(ordinal), text(cell.tag), text(cell.labels.workload), number(repeat)],
    })),
    footnotes: [],
  };
}

function left(key: string): Column {
  return { key, label: key, align: 'left' };
}

function right(key: string): Column {
  return { key, label: key, align: 'right' };
}

function text(value: string): Cell {
  return { value, text: value, mark: 'none' };
}

function number(value: number): Cell {
  return { value, text: String(value), mark: 'none' };
}
