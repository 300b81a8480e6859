/** Values by name, as the build has them under a configuration; null where it has no such setting. */
export type SettingValues = Readonly<Record<string, string | null>>;

/** Settings that are right one by one and go wrong together, or with a default, or with what initdb makes. */
export interface ConflictRule {
  /** Those that it looks at; a message is about the first of them that the configuration sets. */
  readonly settings: readonly string[];
  readonly isConflict: (values: SettingValues) => boolean;
  /** What the server does then. */
  readonly effect: string;
  readonly expected: string;
  /** The function of PostgreSQL's source that says so. */
  readonly source: string;
}

const NO_START = 'the server does not start';

/** A segment of the WAL: initdb is not asked for another, and no build of 11 or newer has another default. */
const SEGMENT_MB = 16;

/** MAX_BACKENDS of 18 less what its auxiliary processes take; until 17 `postgres -C` refuses too many. */
const PROCESSES_18 = 262_142;

/**
 * What `postgres -C` takes, and a server refuses when it starts or does not do. Tried on 12.22, 13.23, 14.22,
 * 15.17, 16.13, 17.9 and 18.4: each rule holds where its settings exist.
 */
export const CONFLICT_RULES: readonly ConflictRule[] = [
  {
    settings: ['superuser_reserved_connections', 'reserved_connections', 'max_connections'],
    isConflict: (values) =>
      number(values.superuser_reserved_connections) + number(values.reserved_connections) >=
      number(values.max_connections),
    effect: NO_START,
    expected: 'max_connections above all that are reserved',
    source: 'PostmasterMain',
  },
  {
    settings: ['archive_mode', 'wal_level'],
    isConflict: ({ archive_mode, wal_level }) => archive_mode !== 'off' && wal_level === 'minimal',
    effect: NO_START,
    expected: 'archive_mode = off, or wal_level = replica or logical',
    source: 'PostmasterMain',
  },
  {
    settings: ['max_wal_senders', 'wal_level'],
    isConflict: ({ max_wal_senders, wal_level }) =>
      number(max_wal_senders) > 0 && wal_level === 'minimal',
    effect: NO_START,
    expected: 'max_wal_senders = 0, or wal_level = replica or logical',
    source: 'PostmasterMain',
  },
  {
    settings: ['summarize_wal', 'wal_level'],
    isConflict: ({ summarize_wal, wal_level }) => summarize_wal === 'on' && wal_level === 'minimal',
    effect: NO_START,
    expected: 'summarize_wal = off, or wal_level = replica or logical',
    source: 'PostmasterMain',
  },
  ...['min_wal_size', 'max_wal_size'].map((name) => ({
    settings: [name],
    isConflict: (values: SettingValues) => number(values[name]) < 2 * SEGMENT_MB,
    effect: NO_START,
    expected: `at least ${2 * SEGMENT_MB}MB, two segments of the WAL`,
    source: 'ReadControlFile',
  })),
  {
    settings: ['huge_pages', 'shared_memory_type'],
    isConflict: ({ huge_pages, shared_memory_type }) =>
      huge_pages === 'on' && shared_memory_type !== 'mmap',
    effect: NO_START,
    expected: 'shared_memory_type = mmap, or huge_pages = try or off',
    source: 'PGSharedMemoryCreate',
  },
  {
    settings: ['ssl', 'ssl_cert_file', 'ssl_key_file'],
    isConflict: ({ ssl, ssl_cert_file, ssl_key_file }) =>
      ssl === 'on' && !(isAbsolute(ssl_cert_file) && isAbsolute(ssl_key_file)),
    effect: `${NO_START}, since there is no certificate in a new data directory`,
    expected: 'ssl = off, or both files with their whole path',
    source: 'be_tls_init',
  },
  {
    settings: [
      'max_connections',
      'max_worker_processes',
      'max_wal_senders',
      'autovacuum_worker_slots',
    ],
    isConflict: (values) =>
      values.autovacuum_worker_slots !== null &&
      number(values.max_connections) +
        number(values.max_worker_processes) +
        number(values.max_wal_senders) +
        number(values.autovacuum_worker_slots) >=
        PROCESSES_18,
    effect: NO_START,
    expected: `less than ${PROCESSES_18} together`,
    source: 'InitializeMaxBackends',
  },
  {
    settings: ['autovacuum_max_workers', 'autovacuum_worker_slots'],
    isConflict: ({ autovacuum_max_workers, autovacuum_worker_slots }) =>
      autovacuum_worker_slots !== null &&
      number(autovacuum_max_workers) > number(autovacuum_worker_slots),
    effect: 'the server starts no more workers than there are slots',
    expected: 'autovacuum_worker_slots at least as large',
    source: 'check_av_worker_gucs',
  },
  {
    settings: ['autovacuum', 'track_counts'],
    isConflict: ({ autovacuum, track_counts }) => autovacuum === 'on' && track_counts === 'off',
    effect: 'the server starts no autovacuum',
    expected: 'track_counts = on, or autovacuum = off',
    source: 'autovac_init',
  },
  {
    settings: ['archive_library', 'archive_command'],
    isConflict: ({ archive_library, archive_command }) =>
      isGiven(archive_library) && isGiven(archive_command),
    effect: 'the server archives nothing (15 leaves the command out)',
    expected: 'one of them',
    source: 'LoadArchiveLibrary',
  },
  {
    settings: ['synchronous_standby_names', 'synchronous_commit', 'max_wal_senders'],
    isConflict: ({ synchronous_standby_names, synchronous_commit, max_wal_senders }) =>
      isGiven(synchronous_standby_names) &&
      !['off', 'local'].includes(synchronous_commit ?? 'off') &&
      number(max_wal_senders) > 0,
    effect: 'every commit waits for ever, since a server that is made for the run has no standby',
    expected: "synchronous_standby_names = '', or synchronous_commit = local or off",
    source: 'SyncRepWaitForLSN',
  },
];

function number(value: string | null | undefined): number {
  return Number(value ?? 0);
}

function isAbsolute(file: string | null | undefined): boolean {
  return file?.startsWith('/') ?? false;
}

/** An empty text is none; a server that does not archive shows its command as disabled. */
function isGiven(value: string | null | undefined): boolean {
  return !['', '(disabled)'].includes(value ?? '');
}
