import type { Debt, SamplingCost, ServerFigures, ServerRecord } from '@ibench/core';
import { BLANK, numberCell, numberColumn, wordCell, wordColumn } from './cell.ts';
import { doneRepeats, median, type RunGroup } from './run-group.ts';
import type { Cell, Column, Row, Table } from './table.ts';

/** One column of a table on the server: its key for machines, and how it comes from the record of a step. */
interface ServerColumn {
  readonly key: string;
  readonly label: string;
  readonly decimals: number;
  readonly value: (server: ServerRecord) => number | null;
}

const MB = 1024 * 1024;

/** A figure as it is, or in another unit. */
function figure(
  name: keyof ServerFigures,
  label: string,
  { decimals = 0, per = 1, key = name as string } = {},
): ServerColumn {
  const value = ({ figures }: ServerRecord): number | null => scaled(figures[name], per);
  return { key, label, decimals, value };
}

/** What was found in shared buffers, of all that was asked for, %. */
function hits(kind: 'heap' | 'index'): ServerColumn {
  return {
    key: `${kind}_hit_pct`,
    label: `${kind} hit%`,
    decimals: 1,
    value: ({ figures }) => {
      const [hit, read] = [figures[`${kind}_blocks_hit`], figures[`${kind}_blocks_read`]];
      return hit === null || read === null || hit + read === 0 ? null : (100 * hit) / (hit + read);
    },
  };
}

function scaled(value: number | null, per: number): number | null {
  return value === null ? null : value / per;
}

const ACTIVITY: readonly ServerColumn[] = [
  figure('checkpoints_timed', 'ckpt'),
  figure('checkpoints_requested', 'ckpt req'),
  figure('checkpoint_cycles', 'ckpt cycles', { decimals: 2 }),
  figure('autovacuums', 'autovac'),
  figure('autovacuum_cycles', 'vac cycles', { decimals: 2 }),
  figure('wal_bytes', 'WAL MB', { per: MB, key: 'wal_mb' }),
  figure('full_page_images', 'FPI'),
  figure('buffers_checkpointer', 'by ckpt'),
  figure('buffers_bgwriter', 'by bgwriter'),
  figure('buffers_backends', 'by backends'),
  figure('heap_blocks_read', 'heap read'),
  hits('heap'),
  figure('index_blocks_read', 'index read'),
  hits('index'),
  figure('temp_bytes', 'temp MB', { per: MB, key: 'temp_mb' }),
  figure('table_bytes', 'table MB', { per: MB, key: 'table_mb' }),
  figure('index_bytes', 'index MB', { per: MB, key: 'index_mb' }),
  figure('dead_share', 'dead%', { decimals: 1, per: 0.01, key: 'dead_pct' }),
];

/** What the server did in one step; null where no run tells. */
export function serverTable(groups: readonly RunGroup[], step: string): Table | null {
  return serverFiguresTable(groups, step, {
    id: 'server',
    title: `${step}: what the server did`,
    note: 'ckpt: checkpoints that were due, req: others; cycles: how much of one the step covered; by: 8 kB blocks written by whom; read: blocks not in shared buffers; sizes and dead% (dead / (dead + live) tuples): at the end',
    columns: ACTIVITY,
    footnotes: cycleNotes(groups, step),
  });
}

/** A figure at both borders. */
function balance(
  name: keyof Debt,
  label: string,
  { decimals = 0, per = 1, key = name as string } = {},
): ServerColumn[] {
  return (['opening', 'closing'] as const).map((moment) => ({
    key: `${moment}_${key}`,
    label: moment === 'opening' ? label : '→',
    decimals,
    value: (server) => scaled(server[moment][name], per),
  }));
}

const DEBT: readonly ServerColumn[] = [
  ...balance('dead_tuples', 'dead tuples'),
  ...balance('dead_share', 'dead%', { decimals: 1, per: 0.01, key: 'dead_pct' }),
  ...balance('all_visible_share', 'visible%', { decimals: 1, per: 0.01, key: 'all_visible_pct' }),
  ...balance('wal_since_redo_bytes', 'WAL MB', { per: MB, key: 'wal_since_redo_mb' }),
  ...balance('dirty_buffers', 'dirty'),
  ...balance('oldest_xmin_age', 'xmin age'),
  ...balance('vacuums_running', 'vacuums'),
];

/** What one step inherited and what it left; null where no run tells. */
export function debtTable(groups: readonly RunGroup[], step: string): Table | null {
  return serverFiguresTable(groups, step, {
    id: 'debt',
    title: `${step}: debt of the server`,
    note: 'At the start → at the end. visible%: all-visible pages at the last vacuum; WAL MB: since the last checkpoint began; dirty: buffers; xmin age: of the oldest snapshot, in transactions',
    columns: DEBT,
    footnotes: [],
  });
}

function serverFiguresTable(
  groups: readonly RunGroup[],
  step: string,
  {
    columns,
    ...table
  }: Pick<Table, 'id' | 'title' | 'note' | 'footnotes'> & {
    readonly columns: readonly ServerColumn[];
  },
): Table | null {
  const rows = groups.flatMap((group): Row[] => {
    const servers = serversOf(group, step);
    if (servers.length === 0) return [];
    const cells = columns.map(({ value, decimals }) =>
      blankOr(median(servers.map(value)), decimals),
    );
    return [{ cells: [...cells, wordCell(group.label)] }];
  });
  if (rows.length === 0) return null;
  return {
    ...table,
    step,
    columns: [...columns.map(({ key, label }) => numberColumn(key, label)), wordColumn('tag')],
    rows,
  };
}

/** What a version does not tell is blank: it was not asked for in vain. */
function blankOr(value: number | null, decimals: number): Cell {
  return value === null ? BLANK : numberCell(value, decimals);
}

function serversOf(group: RunGroup, step: string): ServerRecord[] {
  return doneRepeats(group, step).flatMap(({ server }) => server ?? []);
}

/** Shorter steps are not meant to be steady, and settle is there to end a cycle. */
const STEADY_S = 60;

/** Steps too short to show what a checkpoint or autovacuum costs, with the length that would do. */
function cycleNotes(groups: readonly RunGroup[], step: string): string[] {
  if (step === 'settle') return [];
  return groups.flatMap((group) => {
    const long = doneRepeats(group, step).filter(({ metrics }) => metrics.seconds >= STEADY_S);
    return (['checkpoint', 'autovacuum'] as const).flatMap((kind) => {
      const value = (part: 'cycles' | 'cycle_s'): number | null =>
        median(long.map(({ server }) => server?.figures[`${kind}_${part}`] ?? null));
      const [cycles, cycleS] = [value('cycles'), value('cycle_s')];
      if (cycles === null || cycleS === null || cycles >= 1) return [];
      return [
        `${group.label}, ${step}: covers ${cycles.toFixed(2)} of a cycle of ${kind}s; ${Math.ceil(cycleS)} s would cover one`,
      ];
    });
  });
}

/** n_dead / (n_dead + n_live) at the end of each step, runs × steps, as published; null where no run tells. */
export function deadShareTable(
  groups: readonly RunGroup[],
  steps: readonly string[],
): Table | null {
  const share = (group: RunGroup, step: string): number | null =>
    median(serversOf(group, step).map(({ figures }) => figures.dead_share));
  const known = steps.filter((step) => groups.some((group) => share(group, step) !== null));
  if (known.length === 0) return null;
  return {
    id: 'dead_share',
    step: null,
    title: 'Dead tuples at the end of each step',
    note: 'n_dead_tup / (n_dead_tup + n_live_tup) over all tables of the run',
    columns: [wordColumn('tag'), ...known.map((step): Column => numberColumn(step))],
    rows: groups.map((group) => ({
      cells: [wordCell(group.label), ...known.map((step) => blankOr(share(group, step), 3))],
    })),
    footnotes: [],
  };
}

/** What it cost to sample the server in one step; null where it was not sampled. */
export function samplingTable(groups: readonly RunGroup[], step: string): Table | null {
  const rows = groups.flatMap((group) =>
    serversOf(group, step).flatMap(({ sampling }) =>
      sampling.map((cost) => ({ cells: [...costCells(cost), wordCell(group.label)] })),
    ),
  );
  if (rows.length === 0) return null;
  return {
    id: 'sampling',
    step,
    title: `${step}: cost of sampling the server`,
    note: 'A row for each repeat. ms: from question to answer; CPU: seconds of the server process that answered, over the step',
    columns: [
      wordColumn('what'),
      numberColumn('samples'),
      numberColumn('missed'),
      numberColumn('mean_ms', 'mean ms'),
      numberColumn('max_ms', 'max ms'),
      numberColumn('backend_cpu_s', 'CPU s'),
      wordColumn('tag'),
    ],
    rows,
    footnotes: [],
  };
}

function costCells({ what, samples, missed, totalS, maxS, backendCpuS }: SamplingCost): Cell[] {
  return [
    wordCell(what),
    numberCell(samples, 0),
    numberCell(missed, 0),
    blankOr(samples === 0 ? null : (1000 * totalS) / samples, 2),
    blankOr(samples === 0 ? null : 1000 * maxS, 2),
    blankOr(backendCpuS, 4),
  ];
}
