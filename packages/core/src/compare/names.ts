import type { Area } from './difference.ts';

/** Places and names that every run has for itself: they say nothing about what was measured. */
const OWN_OF_A_RUN: Readonly<Partial<Record<Area, ReadonlySet<string>>>> = {
  setting: new Set([
    'application_name',
    'archive_command',
    'cluster_name',
    'config_file',
    'data_directory',
    'event_source',
    'external_pid_file',
    'hba_file',
    'ident_file',
    'listen_addresses',
    'log_directory',
    'log_filename',
    'port',
    'server_version_num',
    'unix_socket_directories',
  ]),
  // The second half repeats settings, which say it better.
  build: new Set([
    'name',
    'root',
    'pg_config_pgxs',
    'pg_config_version',
    'block_size',
    'data_checksums',
    'debug_assertions',
    'server_version_num',
    'wal_block_size',
    'wal_segment_size',
  ]),
  // Named by the run itself, where the seed is a fact of its own.
  workload: new Set(['seed']),
};

/** Is this fact about the place where a run was, or told elsewhere? */
export function isIgnored(area: Area, name: string): boolean {
  if (area === 'build' && /^pg_config_\w+dir(-server)?$/.test(name)) return true;
  return OWN_OF_A_RUN[area]?.has(name) ?? false;
}

/** Facts about how a binary was compiled, rather than from what. */
export function isCompilation(area: Area, name: string): boolean {
  if (area === 'setting') return name === 'debug_assertions';
  return area === 'build' && COMPILATION.test(name);
}

const COMPILATION =
  /^pg_config_(cc|cppflags|cflags|cflags_sl|ldflags|ldflags_ex|ldflags_sl|libs|configure)$|debug|optimi|compil|meson|cflags/;

/** Decided by initdb or by compiling, and kept in the data directory. */
const ON_DISK: ReadonlySet<string> = new Set([
  'block_size',
  'data_checksums',
  'data_directory_mode',
  'integer_datetimes',
  'lc_collate',
  'lc_ctype',
  'segment_size',
  'server_encoding',
  'wal_block_size',
  'wal_segment_size',
]);

/** What a commit waits for, and how it reaches the device. */
const DURABILITY: ReadonlySet<string> = new Set([
  'commit_delay',
  'data_sync_retry',
  'fsync',
  'full_page_writes',
  'recovery_init_sync_method',
  'synchronous_commit',
  'wal_sync_method',
]);

/** Does a change of this setting count, even where only its default changed between versions? */
export function isNeverByTheWay(setting: string): boolean {
  return ON_DISK.has(setting) || DURABILITY.has(setting);
}

/** Settings that the server computes from others. */
const DERIVED: ReadonlySet<string> = new Set([
  'autovacuum_worker_slots',
  'commit_timestamp_buffers',
  'multixact_member_buffers',
  'multixact_offset_buffers',
  'num_os_semaphores',
  'notify_buffers',
  'serializable_buffers',
  'shared_memory_size',
  'shared_memory_size_in_huge_pages',
  'subtransaction_buffers',
  'transaction_buffers',
  'wal_buffers',
]);

/** Does the server compute this setting from others, when it is not requested? */
export function isDerived(setting: string): boolean {
  return DERIVED.has(setting);
}

/** A configure line without the folder it was to be installed to. */
export function withoutPrefix(configure: string): string {
  return configure.replace(/\s*'?--(?:prefix|with-pgport)=[^'\s]*'?/g, '').trim();
}
