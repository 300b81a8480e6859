import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { before, test } from 'node:test';
import { UsageError } from '@ibench/core';
import type { Build } from '../src/builds/build.ts';
import { findBuild } from '../src/builds/find-build.ts';
import { checkConfigOnBuild } from '../src/config/check-config.ts';
import { describeValue } from '../src/config/describe-value.ts';
import { compareConfigs } from '../src/config/effective-settings.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { resolveConfig } from '../src/config/resolve-config.ts';
import { configOf, makeDirectory } from './server-support.ts';

let build: Build;
before(async () => {
  build = await findBuild(undefined);
});

test('a build takes what it knows and leaves nothing behind', async () => {
  const asked = () => fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('ibench-ask-'));
  const before_ = asked();
  const text = "work_mem = 64MB\nibench.answer = 42\nlog_line_prefix = '%m it''s # '\n";
  await checkConfigOnBuild(configOf(text, build), build);
  assert.deepEqual(
    asked().filter((name) => !before_.includes(name)),
    [],
  );
});

test('all that is wrong with a configuration is told at once, in its order, with file, line and include', async (t) => {
  const directory = makeDirectory(t);
  const file = (name: string) => path.join(directory, `${name}.conf`);
  fs.writeFileSync(
    file('base'),
    "shared_bufers = 25% of memory\nwork_mem = 64MB\nshared_preload_libraries = 'nolib'\nwal_level = maximal\n",
  );
  fs.writeFileSync(
    file('c'),
    [
      "include 'base'",
      'work_mem = 1kB',
      'fsync = perhaps',
      'xyzzy = 1',
      "archive_command = 'true'",
      'max_wal_senders = 3',
      'max_connections = 10',
      'superuser_reserved_connections = 10',
    ].join('\n'),
  );
  const config = resolveConfig(loadConfig(file('c')), { build, memoryBytes: 4 * 1024 ** 3 });
  await assert.rejects(checkConfigOnBuild(config, build), (error: Error) => {
    assert.ok(error instanceof UsageError);
    const [head, ...lines] = error.message.split('\n  ');
    assert.equal(head, `config c cannot be used with ${build.name}:`);
    const include = ` \\(included from \\S+c\\.conf:1\\)`;
    const expected = [
      `base.conf:1: shared_bufers = 25% of memory, 1024MB${include}: ${build.name} has no such setting, did you mean shared_buffers\\?`,
      'c.conf:2: work_mem = 1kB: 1 kB is outside the valid range',
      `base.conf:3: shared_preload_libraries = nolib${include}: there is no .*/nolib`,
      `base.conf:4: wal_level = maximal${include}: invalid value .*"maximal"; Available values: minimal, replica, logical`,
      'c.conf:3: fsync = perhaps: parameter "fsync" requires a Boolean',
      `c.conf:4: xyzzy = 1: ${build.name} has no such setting$`,
      'c.conf:5: archive_command = true: without archive_mode = on it is disabled$',
      'c.conf:8: superuser_reserved_connections = 10: with .*, the server does not start',
    ];
    assert.equal(lines.length, expected.length, error.message);
    expected.forEach((start, i) => {
      assert.match(lines[i]!, new RegExp(`^\\S+/${start}`));
    });
    return true;
  });
});

test('a value that is refused is not judged beside others', async () => {
  const text = 'max_wal_senders = many\nwal_level = minimal\n';
  await assert.rejects(checkConfigOnBuild(configOf(text, build), build), (error: Error) => {
    assert.match(error.message, /:\n {2}\S+:1: max_wal_senders = many: [^\n]*$/);
    return true;
  });
});

const PRELOADS = [
  'shared_preload_libraries',
  'session_preload_libraries',
  'local_preload_libraries',
] as const;

for (const name of PRELOADS) {
  test(`${name} that the build does not have are refused with file and line`, async () => {
    const config = configOf(`\n${name} = 'nope, "no pe", \\$libdir/plpgsql'\n`, build);
    await assert.rejects(checkConfigOnBuild(config, build), (error: Error) => {
      assert.ok(error instanceof UsageError);
      assert.match(
        error.message,
        new RegExp(`:2: ${name} = .*: there is no /.*/nope, no /.*/no pe$`),
      );
      return true;
    });
  });
}

test('libraries that the build has may be preloaded, whatever the way to name them', async () => {
  const names = [
    '',
    'plpgsql',
    'pg_stat_statements.so',
    '"plpgsql" , auto_explain',
    '$libdir/plpgsql',
  ];
  for (const value of names) {
    await checkConfigOnBuild(configOf(`shared_preload_libraries = '${value}'`, build), build);
  }
  await checkConfigOnBuild(
    configOf("shared_preload_libraries = 'nope'\ndynamic_library_path = '/a:$libdir'", build),
    build,
  );
});

test('a command for an archive that is off is refused with its line', async () => {
  const check = (text: string) => checkConfigOnBuild(configOf(text, build), build);
  for (const mode of ['', 'archive_mode = off', "archive_mode = 'OFF'"]) {
    await assert.rejects(check(`${mode}\narchive_command = 'true'\n`), {
      name: 'UsageError',
      message: /:2: archive_command = true: without archive_mode = on it is disabled$/,
    });
  }
  await check("archive_mode = always\narchive_command = 'true'\n");
  await check("archive_command = ''\n");
});

test('the words of a build that fails otherwise are shown', async (t) => {
  const root = makeDirectory(t);
  fs.mkdirSync(path.join(root, 'bin'));
  const program = '#!/bin/sh\necho "FATAL:  no luck today" >&2\nexit 1\n';
  fs.writeFileSync(path.join(root, 'bin', 'postgres'), program, { mode: 0o755 });
  await assert.rejects(
    checkConfigOnBuild(configOf('work_mem = 64MB\n', build), { ...build, root }),
    /small cannot be used with pg\S+:\n {2}FATAL: {2}no luck today$/,
  );
});

test('two configurations are compared by what the build makes of them', async () => {
  const a = configOf(
    'work_mem = 1024kB\nwal_compression = on\nautovacuum_naptime = 60s\nx.y = 1\n',
    build,
    'a',
  );
  const b = configOf(
    'work_mem = 1MB\nshared_buffers = 1GB\nautovacuum_naptime = 90s\nhuge_pages = off\n',
    build,
    'b',
  );
  const pairs = await compareConfigs(a, b, build);
  assert.deepEqual(
    pairs.map(({ name, a, b }) => [
      name,
      a.value,
      a.setBy?.origin ?? null,
      b.value,
      b.setBy?.origin ?? null,
    ]),
    [
      ['autovacuum_naptime', '1min', 'a.conf:3', '90s', 'b.conf:3'],
      ['huge_pages', 'try', null, 'off', 'b.conf:4'],
      ['shared_buffers', '128MB', null, '1GB', 'b.conf:2'],
      ['wal_compression', 'pglz', 'a.conf:2', 'off', null],
      ['work_mem', '1MB', 'a.conf:1', '1MB', 'b.conf:1'],
      ['x.y', '1', 'a.conf:4', null, null],
    ],
  );
});

test('a value is shown in the largest unit that fits', () => {
  const shown: [string, string | null, string][] = [
    ['16384', '8kB', '128MB'],
    ['1', '16MB', '16MB'],
    ['1536', 'kB', '1536kB'],
    ['90', 's', '90s'],
    ['1800', 's', '30min'],
    ['0.02', 'ms', '20us'],
    ['-1', 'kB', '-1'],
    ['0', 'ms', '0'],
    ['200', null, '200'],
    ['on', null, 'on'],
  ];
  for (const [value, unit, expected] of shown) {
    assert.equal(describeValue(value, unit), expected, `${value} ${unit}`);
  }
});
