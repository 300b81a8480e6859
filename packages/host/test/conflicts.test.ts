import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findConflicts } from '../src/config/conflicts.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { resolveConfig } from '../src/config/resolve-config.ts';

/** What 18.4 answers where nothing is set. */
const DEFAULTS_18: Readonly<Record<string, string>> = {
  archive_command: '(disabled)',
  archive_library: '',
  archive_mode: 'off',
  autovacuum: 'on',
  autovacuum_max_workers: '3',
  autovacuum_worker_slots: '16',
  huge_pages: 'try',
  max_connections: '100',
  max_wal_senders: '10',
  max_wal_size: '1024',
  max_worker_processes: '8',
  min_wal_size: '80',
  reserved_connections: '0',
  shared_memory_type: 'mmap',
  ssl: 'off',
  ssl_cert_file: 'server.crt',
  ssl_key_file: 'server.key',
  summarize_wal: 'off',
  superuser_reserved_connections: '3',
  synchronous_commit: 'on',
  synchronous_standby_names: '',
  track_counts: 'on',
  wal_level: 'replica',
};

const {
  reserved_connections: _,
  summarize_wal: _1,
  autovacuum_worker_slots: _2,
  ...rest
} = DEFAULTS_18;
const DEFAULTS_15: Readonly<Record<string, string>> = rest;

/** Settings in the units that a build answers in, one a line; the conflicts as `line: setting: words`. */
async function conflicts(text: string, defaults = DEFAULTS_18, asked: string[] = []) {
  const { settings } = resolveConfig(
    loadConfig('c.conf', () => text.replaceAll('; ', '\n')),
    { build: { name: 'pg', version: '18.4' }, memoryBytes: 0 },
  );
  const set = new Map(settings.map(({ name, value }) => [name, value]));
  const found = await findConflicts(settings, async (name) => {
    asked.push(name);
    return set.get(name) ?? defaults[name] ?? null;
  });
  return found.map(({ setting, words }) => `${setting.place.line}: ${setting.name}: ${words}`);
}

const NO_START = 'the server does not start';

const BROKEN: readonly [string, string][] = [
  [
    'max_connections = 10; superuser_reserved_connections = 7; reserved_connections = 3',
    `2: superuser_reserved_connections: with reserved_connections = 3 (c.conf:3), max_connections = 10 (c.conf:1), ${NO_START}: expected max_connections above all that are reserved`,
  ],
  [
    'max_connections = 3',
    `1: max_connections: with superuser_reserved_connections = 3 (the default), reserved_connections = 0 (the default), ${NO_START}: expected max_connections above all that are reserved`,
  ],
  [
    'wal_level = minimal',
    `1: wal_level: with max_wal_senders = 10 (the default), ${NO_START}: expected max_wal_senders = 0, or wal_level = replica or logical`,
  ],
  [
    'wal_level = minimal; max_wal_senders = 0; archive_mode = always',
    `3: archive_mode: with wal_level = minimal (c.conf:1), ${NO_START}: expected archive_mode = off, or wal_level = replica or logical`,
  ],
  [
    'wal_level = minimal; max_wal_senders = 0; summarize_wal = on',
    `3: summarize_wal: with wal_level = minimal (c.conf:1), ${NO_START}: expected summarize_wal = off, or wal_level = replica or logical`,
  ],
  [
    'min_wal_size = 31',
    `1: min_wal_size: ${NO_START}: expected at least 32MB, two segments of the WAL`,
  ],
  [
    'max_wal_size = 31',
    `1: max_wal_size: ${NO_START}: expected at least 32MB, two segments of the WAL`,
  ],
  [
    'huge_pages = on; shared_memory_type = sysv',
    `1: huge_pages: with shared_memory_type = sysv (c.conf:2), ${NO_START}: expected shared_memory_type = mmap, or huge_pages = try or off`,
  ],
  [
    "ssl = on; ssl_cert_file = '/etc/server.crt'",
    `1: ssl: with ssl_cert_file = /etc/server.crt (c.conf:2), ssl_key_file = server.key (the default), ${NO_START}, since there is no certificate in a new data directory: expected ssl = off, or both files with their whole path`,
  ],
  [
    'max_connections = 262108',
    `1: max_connections: with max_worker_processes = 8 (the default), max_wal_senders = 10 (the default), autovacuum_worker_slots = 16 (the default), ${NO_START}: expected less than 262142 together`,
  ],
  [
    'autovacuum_max_workers = 17',
    '1: autovacuum_max_workers: with autovacuum_worker_slots = 16 (the default), the server starts no more workers than there are slots: expected autovacuum_worker_slots at least as large',
  ],
  [
    'track_counts = off',
    '1: track_counts: with autovacuum = on (the default), the server starts no autovacuum: expected track_counts = on, or autovacuum = off',
  ],
  [
    "archive_mode = on; archive_command = 'true'; archive_library = 'x'",
    '3: archive_library: with archive_command = true (c.conf:2), the server archives nothing (15 leaves the command out): expected one of them',
  ],
  [
    "synchronous_standby_names = 'foo'",
    "1: synchronous_standby_names: with synchronous_commit = on (the default), max_wal_senders = 10 (the default), every commit waits for ever, since a server that is made for the run has no standby: expected synchronous_standby_names = '', or synchronous_commit = local or off",
  ],
  [
    "synchronous_commit = remote_apply; synchronous_standby_names = 'ANY 1 (a, b)'",
    "2: synchronous_standby_names: with synchronous_commit = remote_apply (c.conf:1), max_wal_senders = 10 (the default), every commit waits for ever, since a server that is made for the run has no standby: expected synchronous_standby_names = '', or synchronous_commit = local or off",
  ],
];

for (const [text, expected] of BROKEN) {
  test(`${text}: the conflict is told with what it is with`, async () => {
    assert.deepEqual(await conflicts(text), [expected]);
  });
}

test('what keeps the rules is taken, at their borders', async () => {
  const kept = [
    'max_connections = 11; superuser_reserved_connections = 7; reserved_connections = 3',
    'wal_level = minimal; max_wal_senders = 0',
    'wal_level = logical; archive_mode = on; summarize_wal = on',
    'min_wal_size = 32; max_wal_size = 32',
    'huge_pages = on',
    'huge_pages = try; shared_memory_type = sysv',
    "ssl = on; ssl_cert_file = '/etc/server.crt'; ssl_key_file = '/etc/server.key'",
    "ssl_cert_file = 'other.crt'",
    'max_connections = 262107',
    'autovacuum_max_workers = 16',
    'track_counts = off; autovacuum = off',
    "archive_mode = on; archive_library = 'x'",
    'synchronous_commit = remote_apply',
    "synchronous_standby_names = 'foo'; synchronous_commit = local",
    "synchronous_standby_names = 'foo'; synchronous_commit = off",
    "synchronous_standby_names = 'foo'; max_wal_senders = 0",
  ];
  for (const text of kept) assert.deepEqual(await conflicts(text), [], text);
});

test('every rule that is broken is told', async () => {
  const found = await conflicts('wal_level = minimal; archive_mode = on; summarize_wal = on');
  assert.deepEqual(
    found.map((line) => line.replace(/: with.*/, '')),
    ['2: archive_mode', '1: wal_level', '3: summarize_wal'],
  );
});

test('a setting that a build does not have is in no conflict, and not named', async () => {
  assert.deepEqual(await conflicts('autovacuum_max_workers = 30', DEFAULTS_15), []);
  assert.deepEqual(await conflicts('max_connections = 262108', DEFAULTS_15), []);
  assert.deepEqual(await conflicts('max_connections = 3', DEFAULTS_15), [
    `1: max_connections: with superuser_reserved_connections = 3 (the default), ${NO_START}: expected max_connections above all that are reserved`,
  ]);
});

test('a build is asked once for each setting, and only about rules that are touched', async () => {
  const asked: string[] = [];
  await conflicts('work_mem = 1GB', DEFAULTS_18, asked);
  assert.deepEqual(asked, []);
  await conflicts('wal_level = replica', DEFAULTS_15, asked);
  assert.deepEqual(asked, ['archive_mode', 'wal_level', 'max_wal_senders', 'summarize_wal']);
});
