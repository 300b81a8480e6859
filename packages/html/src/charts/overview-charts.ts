import type { RunGroup } from '@ibench/report';
import type { StepChart } from './catalogue.ts';
import { debtCharts } from './debt-charts.ts';
import { forestChart } from './forest-chart.ts';

/** In addresses of the page, where a step has its name. */
export const OVERVIEW = 'overview';

/** The charts over all steps, in the order in which they are shown. The base is the first row. */
export function overviewCharts(rows: readonly RunGroup[], steps: readonly string[]): StepChart[] {
  return [forestChart(rows, steps), ...debtCharts(rows, steps)].filter((chart) => chart !== null);
}
