/** Settings that decide how often checkpoints and autovacuum come, in the units of pg_settings. */
export type SettingNumber = (name: string) => number | null;

/** How much of a cycle a step covered, and how long one takes at the step's rate. */
export interface Cycle {
  readonly cycles: number;
  /** Seconds of this step that would cover one. */
  readonly lengthS: number;
}

const BYTES_PER_MB = 1024 * 1024;

/**
 * Checkpoint cycles covered by a step. A checkpoint comes after checkpoint_timeout, or as soon as the WAL
 * since the last one began reaches max_wal_size / (1 + checkpoint_completion_target) in whole segments,
 * as CalculateCheckpointSegments() in the server has it.
 *
 * @returns null where a setting or the WAL is not known
 */
export function checkpointCycle(
  seconds: number,
  walBytes: number | null,
  setting: SettingNumber,
): Cycle | null {
  const timeout = setting('checkpoint_timeout');
  const maxWalMb = setting('max_wal_size');
  const segment = setting('wal_segment_size');
  const target = setting('checkpoint_completion_target');
  if (timeout === null || maxWalMb === null || segment === null || target === null) return null;
  if (walBytes === null) return null;
  const segments = Math.max(
    1,
    Math.floor(Math.floor((maxWalMb * BYTES_PER_MB) / segment) / (1 + target)),
  );
  return cycleOf(seconds, Math.max(seconds / timeout, walBytes / (segments * segment)));
}

/** What a step did to one table. */
export interface TableWork {
  readonly rows: number;
  readonly dead: number;
  readonly inserted: number;
}

/**
 * Autovacuum cycles covered by a step, for the table that has the fewest: dead tuples made / those that
 * start a vacuum, or (13 and newer) rows inserted / those that do, but no more than one per
 * autovacuum_naptime.
 *
 * @returns null where autovacuum is off, where it has no work, or a setting is not known
 */
export function autovacuumCycle(
  seconds: number,
  tables: readonly TableWork[],
  setting: SettingNumber,
): Cycle | null {
  const naptime = setting('autovacuum_naptime');
  if (naptime === null || tables.length === 0 || setting('autovacuum') === 0) return null;
  const perTable = tables.map((table) => vacuumsDue(table, setting));
  const due = Math.min(...perTable);
  if (!(due > 0)) return null;
  return cycleOf(seconds, Math.min(due, seconds / naptime));
}

function vacuumsDue({ rows, dead, inserted }: TableWork, setting: SettingNumber): number {
  const most = setting('autovacuum_vacuum_max_threshold');
  const threshold = thresholdOf('autovacuum_vacuum', rows, setting);
  const byDead = capped(threshold, most);
  const byInserts = thresholdOf('autovacuum_vacuum_insert', rows, setting);
  const ratio = (done: number, limit: number | null): number =>
    limit === null || limit <= 0 ? 0 : done / limit;
  return Math.max(ratio(dead, byDead), ratio(inserted, byInserts));
}

/** Threshold + scale factor × rows; null: this version has none, or it is off (−1). */
function thresholdOf(prefix: string, rows: number, setting: SettingNumber): number | null {
  const threshold = setting(`${prefix}_threshold`);
  const factor = setting(`${prefix}_scale_factor`);
  return threshold === null || threshold < 0 || factor === null ? null : threshold + factor * rows;
}

/** 18 and newer have an upper bound; −1 is none. */
function capped(threshold: number | null, most: number | null): number | null {
  return threshold === null || most === null || most < 0 ? threshold : Math.min(threshold, most);
}

function cycleOf(seconds: number, cycles: number): Cycle | null {
  return cycles > 0 ? { cycles, lengthS: seconds / cycles } : null;
}
