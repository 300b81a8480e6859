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
    charts.filter((chart) => chart !== null),
  ]);
  return Object.fromEntries(present) as Record<ChartPart, StepChart[]>;
}
