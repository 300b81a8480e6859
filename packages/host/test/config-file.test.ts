import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { UsageError } from '@ibench/core';
import { execa } from 'execa';
import { findBuild } from '../src/builds/find-build.ts';
import { parseConfig } from '../src/postgres/config-file.ts';

/** Lines that set one value, with the setting and the value that PostgreSQL reads from them. */
const LINES: readonly [line: string, name: string, value: string][] = [
  ['log_line_prefix = public', 'log_line_prefix', 'public'],
  ['log_line_prefix=public', 'log_line_prefix', 'public'],
  ['log_line_prefix public', 'log_line_prefix', 'public'],
  ["log_line_prefix'public'", 'log_line_prefix', 'public'],
  ['  \tlog_line_prefix\t=\tpublic  \t', 'log_line_prefix', 'public'],
  ['log_line_prefix = public # why', 'log_line_prefix', 'public'],
  ['log_line_prefix = public# why', 'log_line_prefix', 'public'],
  ["log_line_prefix = 'a # b' # c", 'log_line_prefix', 'a # b'],
  ["log_line_prefix = 'it''s'", 'log_line_prefix', "it's"],
  ["log_line_prefix = ''", 'log_line_prefix', ''],
  ["log_line_prefix = ''''", 'log_line_prefix', "'"],
  ["log_line_prefix = 'a\\'b\\\\c'", 'log_line_prefix', "a'b\\c"],
  ["log_line_prefix = 'a\\101\\x'", 'log_line_prefix', 'aAx'],
  ["log_line_prefix = 'a\\tb'", 'log_line_prefix', 'a\tb'],
  ['log_line_prefix = \'"$user", public\'', 'log_line_prefix', '"$user", public'],
  ['log_line_prefix = übung', 'log_line_prefix', 'übung'],
  ['LOG_LINE_PREFIX = Public', 'log_line_prefix', 'Public'],
  ['wal_level = logical\r', 'wal_level', 'logical'],
  ['log_line_prefix = a-b.c:/d', 'log_line_prefix', 'a-b.c:/d'],
  ['work_mem=64MB', 'work_mem', '64MB'],
  ["work_mem = '64 MB'", 'work_mem', '64 MB'],
  ['work_mem = 0x100', 'work_mem', '0x100'],
  ['random_page_cost = 1.1', 'random_page_cost', '1.1'],
  ['random_page_cost=+1.5e0', 'random_page_cost', '+1.5e0'],
  ['random_page_cost = 2.', 'random_page_cost', '2.'],
  ['autovacuum_work_mem = -1', 'autovacuum_work_mem', '-1'],
  ['ibench.answer = 42', 'ibench.answer', '42'],
];

/** Lines that are no settings, for PostgreSQL and for us. */
const BAD = [
  'work_mem',
  'work_mem =',
  '= 64MB',
  'work_mem == 64MB',
  'work_mem = 1.5GB',
  'work_mem = 64 MB',
  "work_mem = '64MB",
  "work_mem = '64MB' extra",
  'work_mem = "64MB"',
  'search_path = a.b',
  'search_path = a, b',
  'search_path = $user',
  'random_page_cost = 1e1',
  'a.b.c = 1',
  '64 = work_mem',
  'work-mem = 64MB',
  'work_mem: 64MB',
];

let directory: string;
before(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-config-'));
});
after(() => fs.rmSync(directory, { recursive: true }));

/** What the embedded PostgreSQL reads from a file of one line; null when it refuses the line. */
async function askPostgres(line: string, name: string): Promise<string | null> {
  const { root } = await findBuild(undefined);
  fs.writeFileSync(path.join(directory, 'postgresql.conf'), `${line}\n`);
  const result = await execa(path.join(root, 'bin', 'postgres'), ['-C', name, '-D', directory], {
    reject: false,
  });
  return result.failed ? null : result.stdout;
}

test('a line is read as PostgreSQL reads it', async () => {
  for (const [line, name, value] of LINES) {
    const [setting, ...more] = parseConfig('c', line, 'c.conf').settings;
    assert.deepEqual([setting, more], [{ name, value, line: 1 }, []], line);
    const said = await askPostgres(line, name);
    // It shows a text as it is; of numbers it shows what they mean, which settings.test.ts compares.
    if (name === 'log_line_prefix') assert.equal(said, value, line);
    else assert.notEqual(said, null, line);
  }
});

test('a line that PostgreSQL refuses is refused with file and line', async () => {
  for (const line of BAD) {
    assert.equal(await askPostgres(line, 'port'), null, line);
    assert.throws(
      () => parseConfig('c', `# fine\n${line}\n`, 'my configs/c.conf'),
      (error: Error) =>
        error instanceof UsageError &&
        error.message.startsWith('my configs/c.conf:2: expected "name = value"') &&
        error.message.includes(JSON.stringify(line)),
      line,
    );
  }
});

test('comments and blank lines are no settings, and lines are counted with them', () => {
  const text = '# a\n\n   \t\r\n  # b = 1\r\nwork_mem = 4MB\r\n#work_mem = 8MB\nport_ = 1';
  assert.deepEqual(parseConfig('c', text, 'c.conf'), {
    name: 'c',
    text,
    settings: [
      { name: 'work_mem', value: '4MB', line: 5 },
      { name: 'port_', value: '1', line: 7 },
    ],
  });
  assert.deepEqual(parseConfig('empty', '', 'c.conf').settings, []);
});

test('of a setting given twice the last counts, whatever the case', () => {
  const { settings } = parseConfig('c', 'work_mem = 4MB\nWork_Mem = 8MB\n', 'c.conf');
  assert.deepEqual(settings, [{ name: 'work_mem', value: '8MB', line: 2 }]);
});

test('another file cannot be included', () => {
  for (const name of ['include', 'include_dir', 'include_if_exists', 'INCLUDE']) {
    assert.throws(
      () => parseConfig('c', `work_mem = 4MB\n${name} 'other.conf'`, 'c.conf'),
      (error: Error) =>
        error instanceof UsageError &&
        error.message ===
          `c.conf:2: ${name.toLowerCase()} is not possible here: put all settings in one file`,
    );
  }
});

test("a setting that is the runner's is refused with the reason", () => {
  const owned = {
    port: /^c\.conf:1: port is set by ibench: use --listen/,
    listen_addresses: /--listen/,
    data_directory: /data directory of its own/,
    hba_file: /data directory of its own/,
    ident_file: /data directory of its own/,
    config_file: /data directory of its own/,
    unix_socket_directories: /private directory/,
    unix_socket_permissions: /private directory/,
    external_pid_file: /keeps track/,
    logging_collector: /log is kept/,
    log_destination: /log is kept/,
  };
  for (const [name, reason] of Object.entries(owned)) {
    assert.throws(
      () => parseConfig('c', `${name.toUpperCase()} = 'x'`, 'c.conf'),
      (error: Error) => error instanceof UsageError && reason.test(error.message),
      name,
    );
  }
});
