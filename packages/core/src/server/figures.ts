import { autovacuumCycle, type Cycle, checkpointCycle, type SettingNumber } from './cycles.ts';
import { deadShare } from './debt.ts';
import { type StatisticChange, sumOf } from './statistics.ts';

/** What the server did in a step, by one name for all versions. null: this version does not tell, or not this user. */
export interface ServerFigures {
  /** Checkpoints that began because of checkpoint_timeout, and for any other reason. */
  readonly checkpoints_timed: number | null;
  readonly checkpoints_requested: number | null;
  readonly wal_bytes: number | null;
  readonly full_page_images: number | null;
  /** Buffers written out, in blocks, by the checkpointer, the background writer, and all others. */
  readonly buffers_checkpointer: number | null;
  readonly buffers_bgwriter: number | null;
  readonly buffers_backends: number | null;
  /** Blocks of the run's tables that were not in shared buffers (the kernel may have had them), and that were. */
  readonly heap_blocks_read: number | null;
  readonly heap_blocks_hit: number | null;
  readonly index_blocks_read: number | null;
  readonly index_blocks_hit: number | null;
  readonly temp_files: number | null;
  readonly temp_bytes: number | null;
  readonly vacuums: number | null;
  readonly autovacuums: number | null;
  readonly analyzes: number | null;
  readonly autoanalyzes: number | null;
  /** At the end of the step. */
  readonly live_tuples: number | null;
  readonly dead_tuples: number | null;
  /** n_dead / (n_dead + n_live), 0..1. */
  readonly dead_share: number | null;
  readonly table_bytes: number | null;
  readonly index_bytes: number | null;
  readonly checkpoint_cycles: number | null;
  /** Seconds of this step that would cover one cycle. */
  readonly checkpoint_cycle_s: number | null;
  readonly autovacuum_cycles: number | null;
  readonly autovacuum_cycle_s: number | null;
}

/** The figures of one step. @param setting of the server, see SettingNumber */
export function serverFigures(
  changes: readonly StatisticChange[],
  seconds: number,
  setting: SettingNumber,
): ServerFigures {
  const delta = (source: string, name: string): number | null =>
    sumOf(changes, 'delta', [source, name]);
  const end = (source: string, name: string): number | null =>
    sumOf(changes, 'after', [source, name]);
  const table = (name: string): number | null => delta('pg_stat_user_tables', name);
  const blocks = (name: string): number | null => delta('pg_statio_user_tables', name);
  const live = end('pg_stat_user_tables', 'n_live_tup');
  const dead = end('pg_stat_user_tables', 'n_dead_tup');
  const wal = delta('wal', 'written_bytes');
  const checkpoint = checkpointCycle(seconds, wal, setting);
  const vacuum = autovacuumCycle(seconds, tableWork(changes), setting);
  return {
    // 17 moved these from pg_stat_bgwriter to a view of their own.
    checkpoints_timed:
      delta('pg_stat_checkpointer', 'num_timed') ?? delta('pg_stat_bgwriter', 'checkpoints_timed'),
    checkpoints_requested:
      delta('pg_stat_checkpointer', 'num_requested') ??
      delta('pg_stat_bgwriter', 'checkpoints_req'),
    wal_bytes: wal,
    full_page_images: delta('pg_stat_wal', 'wal_fpi'),
    buffers_checkpointer:
      delta('pg_stat_checkpointer', 'buffers_written') ??
      delta('pg_stat_bgwriter', 'buffers_checkpoint'),
    buffers_bgwriter: delta('pg_stat_bgwriter', 'buffers_clean'),
    buffers_backends:
      delta('pg_stat_bgwriter', 'buffers_backend') ?? writtenByOthers(changes, setting),
    heap_blocks_read: blocks('heap_blks_read'),
    heap_blocks_hit: blocks('heap_blks_hit'),
    index_blocks_read: blocks('idx_blks_read'),
    index_blocks_hit: blocks('idx_blks_hit'),
    temp_files: delta('pg_stat_database', 'temp_files'),
    temp_bytes: delta('pg_stat_database', 'temp_bytes'),
    vacuums: table('vacuum_count'),
    autovacuums: table('autovacuum_count'),
    analyzes: table('analyze_count'),
    autoanalyzes: table('autoanalyze_count'),
    live_tuples: live,
    dead_tuples: dead,
    dead_share: deadShare(live, dead),
    table_bytes: end('relation', 'table_bytes'),
    index_bytes: end('relation', 'index_bytes'),
    ...named('checkpoint', checkpoint),
    ...named('autovacuum', vacuum),
  };
}

function named<Name extends 'checkpoint' | 'autovacuum'>(
  name: Name,
  cycle: Cycle | null,
): Record<`${Name}_cycles` | `${Name}_cycle_s`, number | null> {
  return {
    [`${name}_cycles`]: cycle?.cycles ?? null,
    [`${name}_cycle_s`]: cycle?.lengthS ?? null,
  } as Record<`${Name}_cycles` | `${Name}_cycle_s`, number | null>;
}

/**
 * Blocks that all but the checkpointer and the background writer wrote or added to files, from
 * pg_stat_io: what buffers_backend counted up to 16. 18 counts bytes, 16 and 17 operations of a block.
 */
function writtenByOthers(
  changes: readonly StatisticChange[],
  setting: SettingNumber,
): number | null {
  const others = changes.filter(
    ({ source, object }) =>
      source === 'pg_stat_io' &&
      !/^(checkpointer|background writer)\//.test(object) &&
      // 18 has the WAL too.
      /\/relation\//.test(object),
  );
  const sum = (names: readonly string[]): number | null => {
    const values = names.map((name) => sumOf(others, 'delta', ['pg_stat_io', name]));
    return values.every((value) => value === null)
      ? null
      : values.reduce<number>((all, value) => all + (value ?? 0), 0);
  };
  const bytes = sum(['write_bytes', 'extend_bytes']);
  const blockSize = setting('block_size');
  if (bytes !== null && blockSize !== null) return bytes / blockSize;
  return sum(['writes', 'extends']);
}

/** Rows, dead tuples and inserts of each table. What n_dead_tup says has been cleaned meanwhile: updates and deletes say what was made. */
function tableWork(changes: readonly StatisticChange[]) {
  const tables = changes.filter(({ source }) => source === 'pg_stat_user_tables');
  const objects = [...new Set(tables.map(({ object }) => object))];
  return objects.map((object) => {
    const own = tables.filter((change) => change.object === object);
    const sum = (field: 'before' | 'delta', name: string): number =>
      sumOf(own, field, ['pg_stat_user_tables', name]) ?? 0;
    return {
      rows: sum('before', 'n_live_tup'),
      dead: sum('delta', 'n_tup_upd') + sum('delta', 'n_tup_del'),
      inserted: sum('delta', 'n_tup_ins'),
    };
  });
}
