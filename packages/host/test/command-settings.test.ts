import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandSettings, loadConfig, resolveConfig } from '../src/index.ts';

const TARGET = { build: { name: 'pg18', version: '18.4' }, memoryBytes: 2 ** 30 };

const found = (text: string): string[] =>
  commandSettings(
    resolveConfig(
      loadConfig('/shared.conf', () => text),
      TARGET,
    ),
  );

for (const name of [
  'archive_command',
  'restore_command',
  'archive_cleanup_command',
  'recovery_end_command',
  'ssl_passphrase_command',
]) {
  test(`${name} runs a command, unless it is empty`, () => {
    assert.deepEqual(found(`\n${name} = 'rm -rf ~'`), [`${name} (shared.conf:2): rm -rf ~`]);
    assert.deepEqual(found(`${name} = ''`), []);
  });
}

for (const name of [
  'shared_preload_libraries',
  'session_preload_libraries',
  'local_preload_libraries',
  'archive_library',
  'jit_provider',
  'dynamic_library_path',
]) {
  test(`${name} loads code by path, but what comes with the build may be named`, () => {
    assert.deepEqual(found(`${name} = '/tmp/evil'`), [`${name} (shared.conf:1): /tmp/evil`]);
    assert.deepEqual(found(`${name} = '$libdir/../../evil'`), [
      `${name} (shared.conf:1): $libdir/../../evil`,
    ]);
    assert.deepEqual(found(`${name} = 'pg_stat_statements'`), []);
  });
}

test('other settings may have paths and words like commands', () => {
  assert.deepEqual(found("archive_mode = on\nssl_key_file = '/etc/key'\nlog_statement = all"), []);
});
