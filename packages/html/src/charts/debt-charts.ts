import { type BorderChart, formatValue, type Unit } from '@ibench/chart';
import type { Debt } from '@ibench/core';
import { type Balance, debtBalance, type RunGroup } from '@ibench/report';

interface DebtFigure {
  readonly figure: keyof Debt;
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  readonly per: number;
}

const FIGURES: readonly DebtFigure[] = [
  {
    figure: 'dead_share',
    id: 'debt-dead-share',
    title: 'Dead tuples of all tuples at the start and end of each step',
    unit: 'percent',
    per: 0.01,
  },
  {
    figure: 'dead_tuples',
    id: 'debt-dead-tuples',
    title: 'Dead tuples at the start and end of each step',
    unit: 'count',
    per: 1,
  },
  {
    figure: 'wal_since_redo_bytes',
    id: 'debt-wal',
    title: 'WAL since the last checkpoint began, MB, at the start and end of each step',
    unit: 'mb',
    per: 1024 * 1024,
  },
];

/** Their names. */
export const DEBT_CHARTS: readonly string[] = FIGURES.map(({ id }) => id);

/** What the steps inherited and left, a chart for each kind of debt that any row tells. */
export function debtCharts(rows: readonly RunGroup[], steps: readonly string[]): BorderChart[] {
  return FIGURES.map((figure) => debtChart(figure, rows, steps)).filter((chart) => chart !== null);
}

function debtChart(
  { figure, id, title, unit, per }: DebtFigure,
  rows: readonly RunGroup[],
  steps: readonly string[],
): BorderChart | null {
  const scaled = (value: number | null): number | null => (value === null ? null : value / per);
  const told = rows
    .map((group, row) => ({
      row,
      label: group.label,
      steps: steps.map((step): Balance => {
        const [opening, closing] = debtBalance(group, step, figure);
        return [scaled(opening), scaled(closing)];
      }),
    }))
    .filter(({ steps: balances }) => balances.flat().some((value) => value !== null));
  if (told.length === 0) return null;
  const drawn = told.map((row) => ({ ...row, notes: [noteOf(row.steps, steps, unit)] }));
  const description = drawn.map(({ label, notes }) => `${label}: ${notes.join()}`).join('; ');
  return { kind: 'border', id, title, description, unit, steps, rows: drawn };
}

/** `most 35.2% after l.i2`. */
function noteOf(balances: readonly Balance[], steps: readonly string[], unit: Unit): string {
  const borders = balances.flatMap(([opening, closing], i) => [
    { value: opening, where: `before ${steps[i]}` },
    { value: closing, where: `after ${steps[i]}` },
  ]);
  const most = borders.reduce((a, b) => ((b.value ?? -1) > (a.value ?? -1) ? b : a));
  return `most ${formatValue(unit, most.value ?? Number.NaN)} ${most.where}`;
}
