import { setTimeout as sleep } from 'node:timers/promises';
import { RunError, type ServerReading, type Statistic } from '@ibench/core';
import { type Admin, run } from './admin.ts';
import { ownTables } from './own-tables.ts';
import { INSUFFICIENT_PRIVILEGE } from './statistics.ts';

/** One view, or group of figures, as a query of (source, object, columns as jsonb). */
interface Source {
  readonly name: string;
  /** First major version that has it. */
  readonly since: number;
  readonly sql: string;
}

/** The whole row, so that every version gives what it has. */
function view(name: string, since: number, object = `''`, condition = 'true'): Source {
  const sql = `select '${name}', ${object}, to_jsonb(v) from ${name} v where ${condition}`;
  return { name, since, sql };
}

const OWN_TABLE = 'relid in (select oid from own)';

const SOURCES: readonly Source[] = [
  view('pg_stat_database', 12, `''`, 'datname = current_database()'),
  view('pg_stat_bgwriter', 12),
  view('pg_stat_wal', 14),
  view('pg_stat_io', 16, `concat_ws('/', backend_type, object, context)`),
  view('pg_stat_checkpointer', 17),
  view('pg_stat_user_tables', 12, 'relname', OWN_TABLE),
  view('pg_statio_user_tables', 12, 'relname', OWN_TABLE),
  view('pg_stat_user_indexes', 12, 'indexrelname', OWN_TABLE),
  view('pg_statio_user_indexes', 12, 'indexrelname', OWN_TABLE),
  {
    name: 'relation',
    since: 12,
    sql: `select 'relation', c.relname, jsonb_build_object('table_bytes', pg_table_size(c.oid),
        'index_bytes', pg_indexes_size(c.oid), 'heap_pages', c.relpages,
        'all_visible_pages', c.relallvisible, 'frozen_xid_age', age(c.relfrozenxid))
      from pg_class c join own using (oid) where c.relkind = 'r'
      union all
      select 'relation', i.relname, jsonb_build_object('bytes', pg_relation_size(i.oid))
      from pg_index x join own on own.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      where i.relkind = 'i'`,
  },
  {
    name: 'wal',
    since: 12,
    sql: `select 'wal', '', jsonb_build_object('written_bytes', pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'))`,
  },
  {
    name: 'debt',
    since: 12,
    sql: `select 'debt', '', jsonb_build_object('wal_since_redo_bytes',
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)) from pg_control_checkpoint()`,
  },
  {
    name: 'debt',
    since: 12,
    // Who may not see the snapshots of others would be told that there are none.
    sql: `select 'debt', '', jsonb_build_object(
        'vacuums_running', (select count(*) from pg_stat_progress_vacuum),
        'oldest_xmin_age', case when pg_has_role('pg_read_all_stats', 'usage') then (
          select coalesce(max(age(xmin)), 0) from (
            select backend_xmin as xmin from pg_stat_activity where pid <> pg_backend_pid()
            union all select xmin from pg_replication_slots
            union all select catalog_xmin from pg_replication_slots
            union all select transaction from pg_prepared_xacts) held) end)`,
  },
];

/** Reads all that a server tells of itself; the same reader for the whole run, since it learns what it may read. */
export class ServerStatistics {
  readonly #admin: Admin;
  readonly #major: number;
  readonly #setting: (name: string) => string;
  #sources: readonly Source[];
  #dirtyBuffers: string | null | undefined;

  /** @param setting value of a setting as in pg_settings; empty: there is none */
  constructor(admin: Admin, setting: (name: string) => string) {
    this.#admin = admin;
    this.#setting = setting;
    this.#major = Math.floor(Number(setting('server_version_num')) / 10_000);
    this.#sources = SOURCES.filter(({ since }) => since <= this.#major);
  }

  /**
   * Reads all figures, when what the server's processes had counted until now has arrived in its views:
   *
   * - A backend that is idle or goes on may hold back what it counted in its last second (15 and newer) or
   *   half second; it lets go of all of it at its end. So backends of which all must be known have ended:
   *   they are gone from pg_stat_activity only after they have reported.
   * - Up to 14 the statistics collector answers from a file that may be half a second old.
   *
   * @param tables of the run
   * @param ended backends that were told to end
   */
  async read(tables: readonly string[], ended: readonly number[]): Promise<ServerReading> {
    await this.#untilGone(ended);
    if (this.#major >= 15) {
      await run(this.#admin, 'select pg_stat_force_next_flush()', 'flushing statistics');
    } else {
      await sleep(COLLECTOR_MS);
    }
    const rows = await this.#readAll(tables);
    const dirty = await this.#readDirtyBuffers();
    const statistics = rows.flatMap((row) => this.#figuresOf(row));
    if (dirty !== null) {
      statistics.push({ source: 'debt', object: '', name: 'dirty_buffers', value: dirty });
    }
    return { statistics, resets: resetsOf(rows) };
  }

  async #untilGone(pids: readonly number[]): Promise<void> {
    if (pids.length === 0) return;
    const end = performance.now() + GONE_MS;
    do {
      const left = await run(
        this.#admin,
        `select from pg_stat_activity where pid in (${pids.join(', ')})`,
        'reading pg_stat_activity',
      );
      if (left.length === 0) return;
      await sleep(10);
    } while (performance.now() < end);
    throw new RunError(
      `the connections of the step had not ended ${GONE_MS / 1000} s after they were closed`,
    );
  }

  async #readAll(tables: readonly string[]): Promise<SourceRow[]> {
    const read = async (sources: readonly Source[]): Promise<SourceRow[]> => {
      const parts = sources.map(({ sql }) => sql).join('\nunion all\n');
      const sql = `with ${ownTables(tables)} select * from (${parts}) all_sources (source, object, columns)`;
      const names = new Set(sources.map(({ name }) => name));
      return (await run(this.#admin, sql, `reading ${[...names].join(', ')}`)) as SourceRow[];
    };
    try {
      return await read(this.#sources);
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
    const allowed: Source[] = [];
    const rows: SourceRow[] = [];
    for (const source of this.#sources) {
      try {
        rows.push(...(await read([source])));
        allowed.push(source);
      } catch (error) {
        if (!isForbidden(error)) throw error;
      }
    }
    this.#sources = allowed;
    return rows;
  }

  #figuresOf({ source, object, columns }: SourceRow): Statistic[] {
    const figures = Object.entries(columns).flatMap(([name, value]) =>
      typeof value === 'number' && this.#isMeasured(source, object, name)
        ? [{ source, object, name, value }]
        : [],
    );
    return source === 'pg_stat_io' && figures.every(isIdle) ? [] : figures;
  }

  /** Times of I/O are zero, not absent, where the server does not take them. */
  #isMeasured(source: string, object: string, name: string): boolean {
    if (!TIMED_SOURCES.has(source) || !IO_TIME.test(name)) return true;
    const isWal = source === 'pg_stat_wal' || object.includes('/wal/');
    return this.#setting(isWal ? 'track_wal_io_timing' : 'track_io_timing') === 'on';
  }

  async #readDirtyBuffers(): Promise<number | null> {
    this.#dirtyBuffers ??= await this.#dirtyBuffersQuery();
    if (this.#dirtyBuffers === null) return null;
    const [row] = await run(this.#admin, this.#dirtyBuffers, 'counting dirty buffers');
    return row?.dirty as number;
  }

  /** The summary of 16 and newer is cheap; to look at each buffer is not where there are millions. */
  async #dirtyBuffersQuery(): Promise<string | null> {
    const [may] = await run(
      this.#admin,
      `select has_function_privilege(to_regprocedure('pg_buffercache_summary()'), 'execute') as summary,
         has_table_privilege(to_regclass('pg_buffercache'), 'select') as each`,
      'looking for pg_buffercache',
    );
    if (may?.summary) return 'select buffers_dirty as dirty from pg_buffercache_summary()';
    const isSmall = Number(this.#setting('shared_buffers')) <= MOST_BUFFERS;
    return may?.each && isSmall
      ? 'select count(*)::int as dirty from pg_buffercache where isdirty'
      : null;
  }
}

/** The collector's own bound is 500 ms. */
const COLLECTOR_MS = 600;
const GONE_MS = 10_000;
const MOST_BUFFERS = 1_000_000;

const TIMED_SOURCES = new Set(['pg_stat_database', 'pg_stat_io', 'pg_stat_wal']);
const IO_TIME = /^(blk_|wal_)?(read|write|writeback|extend|fsync|sync)_time$/;

/** Of the hundred kinds of I/O that the server lists most never happen. */
function isIdle({ name, value }: Statistic): boolean {
  return value === 0 || name === 'op_bytes';
}

interface SourceRow {
  readonly source: string;
  readonly object: string;
  readonly columns: Readonly<Record<string, unknown>>;
}

function isForbidden(error: unknown): boolean {
  return error instanceof RunError && error.sqlstate === INSUFFICIENT_PRIVILEGE;
}

function resetsOf(rows: readonly SourceRow[]): Map<string, string> {
  return new Map(
    rows.flatMap(({ source, columns }) =>
      typeof columns.stats_reset === 'string' ? [[source, columns.stats_reset] as const] : [],
    ),
  );
}
