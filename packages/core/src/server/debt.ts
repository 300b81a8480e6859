import { type StatisticChange, sumOf } from './statistics.ts';

/** Work that the server has put off and will have to do: what a step inherits, and what it leaves. */
export interface Debt {
  readonly live_tuples: number | null;
  readonly dead_tuples: number | null;
  /** n_dead / (n_dead + n_live) over all tables of the run, 0..1. */
  readonly dead_share: number | null;
  /** Pages that the visibility map has as all-visible / all pages, as of the last vacuum, 0..1. */
  readonly all_visible_share: number | null;
  /** WAL that a recovery would have to replay: written since the redo point of the last checkpoint. */
  readonly wal_since_redo_bytes: number | null;
  /** Only where pg_buffercache can be read. */
  readonly dirty_buffers: number | null;
  /** Transactions since the oldest one that any connection, slot or prepared transaction still sees. */
  readonly oldest_xmin_age: number | null;
  readonly vacuums_running: number | null;
}

/** Figures of debt, in the order of tables. */
export const DEBT_FIGURES = [
  'live_tuples',
  'dead_tuples',
  'dead_share',
  'all_visible_share',
  'wal_since_redo_bytes',
  'dirty_buffers',
  'oldest_xmin_age',
  'vacuums_running',
] as const satisfies readonly (keyof Debt)[];

/** The balance at one border of a step. */
export function debtOf(changes: readonly StatisticChange[], field: 'before' | 'after'): Debt {
  const sum = (source: string, name: string): number | null =>
    sumOf(changes, field, [source, name]);
  const live = sum('pg_stat_user_tables', 'n_live_tup');
  const dead = sum('pg_stat_user_tables', 'n_dead_tup');
  return {
    live_tuples: live,
    dead_tuples: dead,
    dead_share: deadShare(live, dead),
    all_visible_share: share(sum('relation', 'all_visible_pages'), sum('relation', 'heap_pages')),
    wal_since_redo_bytes: sum('debt', 'wal_since_redo_bytes'),
    dirty_buffers: sum('debt', 'dirty_buffers'),
    oldest_xmin_age: sum('debt', 'oldest_xmin_age'),
    vacuums_running: sum('debt', 'vacuums_running'),
  };
}

/** n_dead / (n_dead + n_live), as in the published reports; null for an empty table. */
export function deadShare(live: number | null, dead: number | null): number | null {
  return live === null || dead === null ? null : share(dead, dead + live);
}

function share(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole;
}

/** How far two opening balances may differ before the steps started under unlike conditions. */
interface DebtBound {
  readonly figure: keyof Debt;
  readonly words: string;
  /** A difference up to this is none, whatever it is in proportion. */
  readonly absolute: number;
  /** The larger may be this many times the smaller. */
  readonly ratio: number;
}

const MB = 1024 * 1024;

/**
 * A share of dead tuples that differs by five points is five points more index entries and pages to read;
 * WAL, dirty buffers and old snapshots matter by their order of magnitude, and not at all when small. A
 * vacuum that runs is always news.
 */
const DEBT_BOUNDS: readonly DebtBound[] = [
  { figure: 'dead_share', words: 'share of dead tuples', absolute: 0.05, ratio: 1 },
  { figure: 'all_visible_share', words: 'share of all-visible pages', absolute: 0.1, ratio: 1 },
  {
    figure: 'wal_since_redo_bytes',
    words: 'bytes of WAL since the last checkpoint',
    absolute: 256 * MB,
    ratio: 1.5,
  },
  { figure: 'dirty_buffers', words: 'dirty buffers', absolute: 32_768, ratio: 1.5 },
  { figure: 'oldest_xmin_age', words: 'age of the oldest snapshot', absolute: 100_000, ratio: 2 },
  { figure: 'vacuums_running', words: 'vacuums running', absolute: 0, ratio: 1 },
];

/** Two opening balances of which one figure differs by more than its bound. */
export interface DebtDifference {
  readonly figure: keyof Debt;
  readonly words: string;
  readonly base: number;
  readonly other: number;
}

/** Where the opening debts of two steps differ by more than the bounds; a figure that one lacks does not count. */
export function debtDifferences(base: Debt, other: Debt): DebtDifference[] {
  return DEBT_BOUNDS.flatMap(({ figure, words, absolute, ratio }) => {
    const [a, b] = [base[figure], other[figure]];
    if (a === null || b === null || Math.abs(a - b) <= absolute) return [];
    if (Math.max(a, b) <= ratio * Math.min(a, b)) return [];
    return [{ figure, words, base: a, other: b }];
  });
}
