import type { ChartSpec, PackedSeries } from '@ibench/chart';
import { CLOCKS, STATEMENT_KINDS } from '@ibench/core';
import type { StepRow } from '../rows.ts';
import { clientsChart, cpuSplitChart, percentileChart } from './cost-charts.ts';
import { cpuChart, OS_SOURCES } from './os-charts.ts';
import { SERVER_SOURCES, serverCpuChart } from './server-charts.ts';
import { statementSources } from './statement-charts.ts';
import { type TimeSource, timeChart } from './time-charts.ts';
import { waitsChart } from './waits-chart.ts';

/** The part of a step's page that a chart belongs to. */
export type ChartPart = 'seconds' | 'times' | 'cost' | 'clients' | 'os' | 'server';

/** A chart whose series are not packed yet. */
export type StepChart = ChartSpec<PackedSeries>;

/** How many dots a series may have: inserts, deletes and queries; the operating system's. */
export interface Limits {
  readonly statement: number;
  readonly os: number;
}

/** The charts of a step by the part they belong to, in the order in which they are shown. */
export function stepCharts(
  step: string,
  measured: readonly StepRow[],
  limits: Limits,
): Record<ChartPart, StepChart[]> {
  const rows = measured.map((row) => (row.isInvalid ? { ...row, label: `⊘ ${row.label}` } : row));
  const time = (sources: readonly TimeSource[], limit: number): (StepChart | null)[] =>
    sources.map((source) => timeChart(source, rows, limit));
  const statements = STATEMENT_KINDS.flatMap((kind) => statementSources(kind, rows));
  const parts: Record<ChartPart, (StepChart | null)[]> = {
    seconds: time(statements, limits.statement),
    times: STATEMENT_KINDS.flatMap((kind) =>
      CLOCKS.map((clock) => percentileChart(kind, clock, rows)),
    ),
    cost: [cpuSplitChart(step, rows)],
    clients: [clientsChart(step, rows)],
    os: [cpuChart(rows), ...time(OS_SOURCES, limits.os)],
    server: [waitsChart(rows), serverCpuChart(rows), ...time(SERVER_SOURCES, limits.os)],
  };
  const present = Object.entries(parts).map(([part, charts]) => [
    part,
    charts.filter((chart) => chart !== null).map((chart) => withRepeats(chart, rows)),
  ]);
  return Object.fromEntries(present) as Record<ChartPart, StepChart[]>;
}

/** Kinds with room for one note beside a row. */
const ONE_NOTE: readonly StepChart['kind'][] = ['bar', 'curve', 'dot'];

/** Tables have medians over repeats, a chart draws one of them: says which, and which rows are invalid. */
function withRepeats(chart: StepChart, rows: readonly StepRow[]): StepChart {
  const notes = new Map(rows.map((row) => [row.row, rowNotes(row)]));
  const told = chart.rows.filter(({ row }) => (notes.get(row) ?? []).length > 0);
  if (told.length === 0) return chart;
  const description = told.map(({ row, label }) => `${label}: ${notes.get(row)!.join(', ')}`);
  const isOneOfSeveral = rows.some(({ repeatNote }) => repeatNote !== null);
  return {
    ...chart,
    title:
      isOneOfSeveral && ONE_NOTE.includes(chart.kind)
        ? `${chart.title}, of the repeat with the median throughput`
        : chart.title,
    description: `${chart.description} ${description.join('; ')}.`,
    rows: chart.rows.map((row) => ({
      ...row,
      notes: [...row.notes, ...(notes.get(row.row) ?? [])],
    })),
  } as StepChart;
}

function rowNotes({ isInvalid, repeatNote }: StepRow): string[] {
  return [...(isInvalid ? ['⊘ invalid'] : []), ...(repeatNote === null ? [] : [repeatNote])];
}
