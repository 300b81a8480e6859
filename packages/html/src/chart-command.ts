import { drawStandalone, mapSeries, type Theme, type View } from '@ibench/chart';
import { UsageError } from '@ibench/core';
import type { RunGroup } from '@ibench/report';
import { type StepChart, stepCharts } from './charts/catalogue.ts';
import { overviewCharts } from './charts/overview-charts.ts';
import { type Evidence, stepRows } from './rows.ts';

/** Which chart, of what. */
export interface ChartChoice {
  /** null: a chart over all steps. */
  readonly step: string | null;
  /** All steps, in their order. */
  readonly steps: readonly string[];
  /** As `chartNames` has it. */
  readonly name: string;
  readonly rows: readonly RunGroup[];
  readonly evidence: Evidence;
}

/** As many dots as a file of one chart can hold without being large. */
const LIMITS = { statement: 4000, os: 4000 };

/** Names of the charts that can be drawn. */
export function chartNames(choice: Omit<ChartChoice, 'name'>): string[] {
  return chartsOf(choice).map(({ id }) => id);
}

/**
 * One chart as an SVG file.
 *
 * @throws UsageError for a chart that is not there, or seconds that it does not have
 */
export function drawChosenChart(choice: ChartChoice, view: View, theme: Theme): string {
  const charts = chartsOf(choice);
  const chart = charts.find(({ id }) => id === choice.name);
  if (chart === undefined) {
    const ids = charts.map(({ id }) => id).join(', ');
    const [where, none] =
      choice.step === null
        ? ['without --step there is', 'none, there is nothing to compare']
        : [`${choice.step} has`, 'none, the step is done in no run'];
    throw new UsageError(`${where} no chart "${choice.name}"; expected one of: ${ids || none}`);
  }
  checkRange(chart, view.range);
  return drawFile(choice.step, chart, { view, theme });
}

/** An axis without any of its data would be an empty picture. */
function checkRange(chart: StepChart, range: View['range']): void {
  if (range === null) return;
  if (!('seconds' in chart)) {
    throw new UsageError(`the chart ${chart.id} is not over seconds: leave out --from and --to`);
  }
  const last = Math.floor(chart.seconds);
  if (range[0] <= last) return;
  throw new UsageError(`--from ${range[0]}: the chart ${chart.id} has the seconds 0 to ${last}`);
}

/** How a chart is looked at, and in which colours. */
export interface Look {
  readonly view: View;
  readonly theme: Theme;
}

/** All charts of a step, or over all steps, by their names, each drawn when it is asked for. */
export function* drawCharts(
  choice: Omit<ChartChoice, 'name'>,
  look: Look,
): Generator<{ readonly name: string; readonly svg: string }> {
  for (const chart of chartsOf(choice)) {
    yield { name: chart.id, svg: drawFile(choice.step, chart, look) };
  }
}

function drawFile(step: string | null, chart: StepChart, { view, theme }: Look): string {
  const title = step === null ? chart.title : `${step}: ${chart.title}`;
  return drawStandalone(
    mapSeries({ ...chart, title }, ({ points }) => points),
    view,
    theme,
  );
}

function chartsOf({ step, steps, rows, evidence }: Omit<ChartChoice, 'name'>): StepChart[] {
  if (step === null) return overviewCharts(rows, steps);
  return Object.values(stepCharts(step, stepRows(rows, step, evidence), LIMITS)).flat();
}
