import { type Comparability, isQueryStep, type RunRecord } from '@ibench/core';
import { chooseSteps } from './choose-steps.ts';
import { BRIEF, comparabilityTable } from './comparability-table.ts';
import { deficitsTable } from './deficits-table.ts';
import { fairnessTable } from './fairness-table.ts';
import { withInvalidRows } from './invalid-rows.ts';
import { mergeSteps } from './merge-steps.ts';
import { detailsTable, metricsTable } from './metrics-tables.ts';
import { relativeTable } from './relative-table.ts';
import { reportRows, runsOf } from './report-rows.ts';
import { type RunGroup, stepNames } from './run-group.ts';
import { deadShareTable, debtTable, samplingTable, serverTable } from './server-tables.ts';
import { settingsTable } from './settings-table.ts';
import { slaTable } from './sla-table.ts';
import { summaryTable } from './summary-table.ts';
import type { Table } from './table.ts';
import { histogramTable, percentilesTable } from './times-tables.ts';
import { waitsTable } from './waits-table.ts';
import { warningsTable } from './warnings-table.ts';

export interface ReportOptions {
  /** Tag of the row that others are compared with; the first row unless given. */
  readonly base?: string | undefined;
  /** Steps to report; all unless given. */
  readonly steps?: readonly string[] | undefined;
  /** What the runs differ in; nothing is said about it unless given. */
  readonly comparability?: Comparability | undefined;
  /** Which tables; the usual ones unless given. */
  readonly tables?: readonly TableId[] | 'all' | undefined;
  /** The tables of each step stay apart, also where there is a single row. */
  readonly apart?: boolean | undefined;
}

/** Tables of every report, as far as there is something to say, by their id. */
const USUAL_TABLES = [
  'comparability',
  'warnings',
  'summary',
  'relative',
  'sla',
  'histogram',
  'percentiles',
  'metrics',
  'details',
  'server',
  'fairness',
  'deficits',
] as const;

/** Tables that answer a question that not everyone has: too much for every report. */
const FURTHER_TABLES = ['settings', 'waits', 'debt', 'dead_share', 'sampling'] as const;

export type TableId = (typeof USUAL_TABLES)[number] | (typeof FURTHER_TABLES)[number];

/** All tables that can be asked for by their id. */
export const TABLE_IDS: readonly TableId[] = [...USUAL_TABLES, ...FURTHER_TABLES];

/**
 * The tables of a report (SPEC 6): what the runs differ in, warnings if there are any, throughput, relative throughput where
 * there are rows to compare, background rate where there are read-write steps, then the tables of each
 * step; those of all steps in one where there is a single row. Repeats of one tag share a row. The base is the first row of
 * each table. Without runs there are no tables.
 * @throws UsageError for a base or a step that the runs do not have.
 */
export function buildReport(runs: readonly RunRecord[], options: ReportOptions = {}): Table[] {
  if (runs.length === 0) return [];
  const groups = reportRows(runs, options.base);
  const [base] = groups as [RunGroup];
  const ordered = runsOf(groups);
  const comparability = inOrder(options.comparability, ordered);
  const steps = reportSteps(runs, options.steps);
  const perStep = steps
    .flatMap((step) => stepTables(groups, step))
    .filter((table) => table !== null);
  const tables = [
    comparability === null ? null : comparabilityTable(comparability, BRIEF),
    warningsTable(ordered, steps),
    summaryTable(groups, steps),
    groups.length > 1 ? relativeTable(groups, steps, base) : null,
    steps.some((step) => isQueryStep(step)) ? slaTable(groups, steps) : null,
    comparability === null ? null : settingsTable(groups, base, comparability),
    deadShareTable(groups, steps),
    ...(groups.length === 1 && steps.length > 1 && !options.apart ? mergeSteps(perStep) : perStep),
  ];
  const wanted: readonly string[] =
    options.tables === 'all' ? TABLE_IDS : (options.tables ?? USUAL_TABLES);
  return tables.filter((table) => table !== null).filter(({ id }) => wanted.includes(id));
}

/**
 * The steps of a report in the order of the benchmark: those wanted, or all.
 * @throws UsageError for a step that the runs do not have.
 */
export function reportSteps(
  runs: readonly RunRecord[],
  wanted: readonly string[] | undefined,
): string[] {
  return chooseSteps(stepNames(runs), wanted);
}

/** The runs that were compared, in this order. */
function inOrder(
  comparability: Comparability | undefined,
  runs: readonly RunRecord[],
): Comparability | null {
  if (comparability === undefined) return null;
  const place = (runId: string): number => runs.findIndex((run) => run.runId === runId);
  const ordered = [...comparability.runs].sort((a, b) => place(a.runId) - place(b.runId));
  return { ...comparability, runs: ordered };
}

function stepTables(groups: readonly RunGroup[], step: string): (Table | null)[] {
  return [
    histogramTable,
    percentilesTable,
    metricsTable,
    detailsTable,
    serverTable,
    waitsTable,
    debtTable,
    samplingTable,
    fairnessTable,
    deficitsTable,
  ].map((make) => withInvalidRows(make, groups, step));
}
