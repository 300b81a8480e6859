import { isQueryStep, PUBLISHED_COLUMNS } from '@ibench/core';
import { labelClientBound, numberCell, numberColumn, wordCell, wordColumn } from './cell.ts';
import { clientBoundNotes } from './client-bound.ts';
import {
  type DoneStep,
  doneRepeats,
  type MetricName,
  medianMetric,
  type RunGroup,
} from './run-group.ts';
import type { Cell, Mark, Row, Table } from './table.ts';
import { throughputMetric, throughputOf } from './throughput.ts';

interface MetricColumn {
  readonly name: MetricName;
  readonly label: string;
  readonly decimals: number;
  /** Shown in %, under this key for machines; the metric is a share. */
  readonly percentKey?: string;
}

/** Decimals as in the published reports. */
const PUBLISHED_DECIMALS: Readonly<Record<(typeof PUBLISHED_COLUMNS)[number], number>> = {
  ips: 0,
  qps: 0,
  rps: 1,
  rmbps: 1,
  wps: 1,
  wmbps: 1,
  rpq: 3,
  rkbpq: 3,
  wpi: 3,
  wkbpi: 3,
  csps: 0,
  cpups: 1,
  cspq: 3,
  cpupq: 0,
  dbgb1: 1,
  dbgb2: 1,
  rss: 1,
  maxop: 3,
  p50: 0,
  p99: 0,
};

const PUBLISHED: readonly MetricColumn[] = PUBLISHED_COLUMNS.map((name) => ({
  name,
  label: name,
  decimals: PUBLISHED_DECIMALS[name],
}));

const DETAILS: readonly MetricColumn[] = [
  { name: 'seconds', label: 'seconds', decimals: 1 },
  { name: 'cpupq', label: 'cpupq', decimals: 1 },
  { name: 'fgcpupq', label: 'fgcpupq', decimals: 1 },
  { name: 'fgcpupq_insert', label: 'insert', decimals: 1 },
  { name: 'fgcpupq_delete', label: 'delete', decimals: 1 },
  { name: 'fgcpupq_query', label: 'query', decimals: 1 },
  { name: 'bgcpupq', label: 'bgcpupq', decimals: 1 },
  { name: 'clcpupq', label: 'clcpupq', decimals: 1 },
  { name: 'otcpupq', label: 'otcpupq', decimals: 1 },
  { name: 'iowait_pct', label: 'iowait%', decimals: 1 },
  { name: 'steal_pct', label: 'steal%', decimals: 1 },
  { name: 'fsyncs_per_s', label: 'fsync/s', decimals: 1 },
  { name: 'fsyncs_per_insert', label: 'fsync/i', decimals: 4 },
  { name: 'r_await', label: 'r_await', decimals: 2 },
  { name: 'w_await', label: 'w_await', decimals: 2 },
  { name: 'f_await', label: 'f_await', decimals: 2 },
  { name: 'wal_bytes_per_insert', label: 'walB/i', decimals: 0 },
  { name: 'full_page_images_per_insert', label: 'fpi/i', decimals: 3 },
  { name: 'dps', label: 'dps', decimals: 0 },
  { name: 'rows_per_query', label: 'rows/q', decimals: 2 },
  {
    name: 'server_wait_share',
    label: 'server wait %',
    decimals: 1,
    percentKey: 'server_wait_pct',
  },
];

/** The 21 columns of the published reports for one step; null where the step is done in no run. */
export function metricsTable(groups: readonly RunGroup[], step: string): Table | null {
  return metricTable(groups, step, {
    id: 'metrics',
    title: `${step}: normalised metrics`,
    note: `${perOperation(step)}; cpups: %; cpupq: µs; dbgb1, dbgb2, rss: GB; maxop: s; p50, p99: rate that 50%, 99% of the seconds reach`,
    metrics: PUBLISHED,
  });
}

/** Who spent the CPU, flushes, waits and WAL of one step; null where the step is done in no run. */
export function detailsTable(groups: readonly RunGroup[], step: string): Table | null {
  return metricTable(groups, step, {
    id: 'details',
    title: `${step}: CPU split, flushes, WAL`,
    note: 'cpupq = fgcpupq (insert + delete + query) + bgcpupq (server) + clcpupq (load) + otcpupq (host), µs; await: ms; /i: per insert; server wait %: of the time of the worker that sets the pace',
    metrics: DETAILS,
  });
}

function perOperation(step: string): string {
  if (step === 'l.x') return 'ips: rows indexed/s; …pq: per row indexed';
  return isQueryStep(step) ? '…pq: per query, …pi: per insert' : '…pq, …pi: per insert';
}

interface MetricTableText extends Pick<Table, 'id' | 'title' | 'note'> {
  readonly metrics: readonly MetricColumn[];
}

function metricTable(
  groups: readonly RunGroup[],
  step: string,
  { id, title, note, metrics }: MetricTableText,
): Table | null {
  const rows = groups.flatMap((group) => metricRow(group, step, metrics));
  if (rows.length === 0) return null;
  const columns = metrics.map(({ name, label, percentKey }) =>
    numberColumn(percentKey ?? name, label),
  );
  const showsThroughput = metrics.some(({ name }) => name === throughputMetric(step));
  return {
    id,
    step,
    title,
    note,
    columns: [...columns, wordColumn('tag')],
    rows,
    footnotes: showsThroughput ? clientBoundNotes(groups, [step]) : [],
  };
}

function metricRow(group: RunGroup, step: string, metrics: readonly MetricColumn[]): Row[] {
  const repeats = doneRepeats(group, step);
  if (repeats.length === 0) return [];
  const { missedSla, clientBound } = throughputOf(group, step);
  const cells: Cell[] = metrics.map((column) => {
    const missed = missedSla && (column.name === 'ips' || column.name === 'qps');
    const cell = metricCell(repeats, column, missed ? 'missed-sla' : 'none');
    return labelClientBound(cell, clientBound && column.name === throughputMetric(step));
  });
  return [{ cells: [...cells, wordCell(group.label)] }];
}

function metricCell(
  repeats: readonly DoneStep[],
  { name, decimals, percentKey }: MetricColumn,
  mark: Mark,
): Cell {
  const value = medianMetric(repeats, name);
  const shown = value !== null && percentKey !== undefined ? 100 * value : value;
  return numberCell(shown, decimals, mark);
}
