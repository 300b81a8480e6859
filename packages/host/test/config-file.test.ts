import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { UsageError } from '@ibench/core';
import { execa } from 'execa';
import { findBuild } from '../src/builds/find-build.ts';
import { type ConfigFile, parseConfigFile } from '../src/config/config-file.ts';
import { ANY_VERSION } from '../src/config/versions.ts';

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
  'work_mem = 25%',
  'work_mem = 25% of disk',
  'work_mem = -5% of memory',
];

function parse(text: string, file = 'c.conf'): ConfigFile {
  return parseConfigFile(text, { file, from: null });
}

/** Names and values of the settings in a text. */
function pairs(text: string): [string, string][] {
  return parse(text).lines.map((line) => {
    assert.ok(line.kind === 'setting');
    return [line.name, line.value];
  });
}

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
    assert.deepEqual(pairs(line), [[name, value]], line);
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
      () => parse(`# fine\n${line}\n`, 'my configs/c.conf'),
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
  const { description, versions, lines } = parse(text);
  assert.deepEqual([description, versions], ['a', ANY_VERSION]);
  assert.deepEqual(
    lines.map((line) => [line.kind, line.kind === 'setting' && line.name, line.place.line]),
    [
      ['setting', 'work_mem', 5],
      ['setting', 'port_', 7],
    ],
  );
  assert.deepEqual(parse(''), { description: null, versions: ANY_VERSION, lines: [] });
});

test('the description is the first line, if that is a comment and no header', () => {
  assert.equal(parse('## Less WAL.\n# More words.\n').description, 'Less WAL.');
  assert.equal(parse('\n# Not this.\n').description, null);
  assert.equal(parse('# versions: 15\n# Nor this.\n').description, null);
});

test('versions are read from the header for the file, and from a line for that line', () => {
  const text = '# A.\n# versions: 12-17\nwork_mem = 4MB\nhash_mem_multiplier = 2 # versions: 13-\n';
  const { versions, lines } = parse(text);
  assert.deepEqual(versions, { from: 12, to: 17 });
  assert.deepEqual(
    lines.map((line) => line.kind === 'setting' && line.versions),
    [ANY_VERSION, { from: 13, to: Number.POSITIVE_INFINITY }],
  );
  assert.deepEqual(parse('#versions:15').versions, { from: 15, to: 15 });
});

test('a header that is wrong is refused with file and line', () => {
  const cases: [string, RegExp][] = [
    ['# versions:', /^c\.conf:1: expected "# versions: 13-17".*got "# versions:"$/],
    ['# versions: new', /^c\.conf:1: expected/],
    ['# versions: 17-13', /^c\.conf:1: expected/],
    ['# versions: 0', /^c\.conf:1: expected/],
    ['# versions: 13, 15', /^c\.conf:1: expected/],
    ['# version: 13', /^c\.conf:1: expected/],
    ['# Versions: 13', /^c\.conf:1: expected/],
    ['work_mem = 4MB # versions: -13', /^c\.conf:1: expected/],
    ['# versions: 13\n# versions: 14', /^c\.conf:2: the versions were given before/],
    ['work_mem = 4MB\n# versions: 14', /^c\.conf:2: versions of the file belong above/],
    [
      '# versions: 15-\nwork_mem = 4MB # versions: 12-14',
      /^c\.conf:2: work_mem is for versions 12-14, its file for 15-: it would never hold$/,
    ],
    ["include 'a' # versions: 15", /^c\.conf:1: an include holds for all versions/],
  ];
  for (const [text, expected] of cases) {
    assert.throws(
      () => parse(text),
      (error: Error) => error instanceof UsageError && expected.test(error.message),
      text,
    );
  }
});

test('a share of memory is read where no value of PostgreSQL could stand', () => {
  for (const text of ['work_mem = 2.5% of memory', 'work_mem 2.5 %  of\tmemory# why']) {
    const [line] = parse(text).lines;
    assert.ok(line?.kind === 'setting');
    assert.equal(line.memoryPercent, 2.5);
  }
  const [quoted] = parse("log_line_prefix = '2% of memory'").lines;
  assert.ok(quoted?.kind === 'setting');
  assert.deepEqual([quoted.memoryPercent, quoted.value], [null, '2% of memory']);
  for (const [share, expected] of [
    ['0', 'more than 0%'],
    ['0.0', 'more than 0%'],
    ['100.1', 'at most 100%, .*'],
    ['250', 'at most 100%, .*'],
  ] as const) {
    assert.throws(
      () => parse(`\nwork_mem = ${share}% of memory`),
      new RegExp(`^UsageError: c\\.conf:2: .* ${share}% .*: expected ${expected}$`),
    );
  }
  assert.equal(parse('work_mem = 100% of memory').lines.length, 1);
  // WAL is on disk.
  for (const name of ['max_wal_size', 'min_wal_size', 'wal_keep_size']) {
    assert.equal(parse(`${name} = 125% of memory`).lines.length, 1);
    assert.throws(() => parse(`${name} = 0% of memory`), /more than 0%/);
  }
});

test('an include is a name; folders and files that may be missing are refused', () => {
  for (const text of ["include 'base'", "include = 'base'", 'INCLUDE base']) {
    const [line] = parse(text).lines;
    assert.ok(line?.kind === 'include');
    assert.equal(line.target, 'base');
  }
  for (const name of ['include_dir', 'include_if_exists']) {
    assert.throws(
      () => parse(`work_mem = 4MB\n${name} 'other'`),
      (error: Error) =>
        error instanceof UsageError &&
        error.message ===
          `c.conf:2: ${name} is not possible here: name each file with include 'name'`,
    );
  }
  assert.throws(() => parse("include ''"), /c\.conf:1: include: expected a name/);
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
      () => parse(`${name.toUpperCase()} = 'x'`),
      (error: Error) => error instanceof UsageError && reason.test(error.message),
      name,
    );
  }
});
