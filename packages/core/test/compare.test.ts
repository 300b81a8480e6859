import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Area,
  type ComparedRun,
  compareRuns,
  type Difference,
  type Observed,
  settingText,
  valuesOf,
} from '../src/index.ts';
import { comparedRun, difference } from './compare-support.ts';

const BUILDS = [comparedRun('pg17.9'), comparedRun('pg18.4')];
const CONFIGS = [comparedRun('pg18.4', 'base'), comparedRun('pg18.4', 'a16')];
const REPEATS = [comparedRun('pg18.4'), comparedRun('pg18.4', 'base', 2)];
const MATRIX = ['pg17.9', 'pg18.4'].flatMap((build) =>
  ['base', 'a16'].map((config) => comparedRun(build, config)),
);
const DEFAULT = { isDefault: true };
const REQUESTED = { requested: true };

/** The kind of one difference among these runs. */
function kind(
  runs: readonly ComparedRun[],
  [area, name, values, more]: readonly [
    Area,
    string,
    readonly (string | null | undefined)[],
    Partial<Observed>?,
  ],
  others: readonly Difference[] = [],
): string | undefined {
  const one = difference(area, name, runs, values, more);
  return compareRuns(runs, [one, ...others]).differences.find((d) => d.name === name)?.kind;
}

test('the axis is what the names of the runs differ in', () => {
  assert.deepEqual(compareRuns(REPEATS, []).axes, []);
  assert.deepEqual(compareRuns(BUILDS, []).axes, ['build']);
  assert.deepEqual(compareRuns(CONFIGS, []).axes, ['config']);
  assert.deepEqual(compareRuns(MATRIX, []).axes, ['build', 'config']);
});

test('version, checksum, settings of one version and changed defaults come with the build', () => {
  const follows = (...one: Parameters<typeof kind>[1]): void =>
    assert.equal(kind(BUILDS, one), 'follows', one[1]);
  follows('build', 'version_text', ['PostgreSQL 17.9', 'PostgreSQL 18.4']);
  follows('build', 'sha256', ['aa', 'bb']);
  follows('setting', 'server_version', ['17.9', '18.4']);
  follows('run', 'config_sha256', ['aa', 'bb']);
  follows('setting', 'io_method', [undefined, 'worker'], DEFAULT);
  follows('setting', 'effective_io_concurrency', ['1', '16'], DEFAULT);
  follows('setting', 'wal_buffers', ['4MB', '8MB']);
  follows('setting', 'io_max_concurrency', [undefined, '64'], REQUESTED);
});

test('between builds, what is on disk or makes commits durable is a surprise though only a default changed', () => {
  assert.equal(kind(BUILDS, ['setting', 'data_checksums', ['off', 'on'], DEFAULT]), 'surprise');
  assert.equal(
    kind(BUILDS, ['setting', 'wal_sync_method', ['fsync', 'fdatasync'], DEFAULT]),
    'surprise',
  );
});

test('a setting that some versions lack comes with the build, also what is on disk; one that differs besides does not', () => {
  const builds = ['pg12.22', 'pg17.9', 'pg18.4'].map((build) => comparedRun(build));
  const versions = difference('setting', 'server_version', builds, ['12.22', '17.9', '18.4']);
  const kindOf = (name: string, values: (string | undefined)[], others = [versions]) =>
    kind(builds, ['setting', name, values, DEFAULT], others);
  assert.equal(kindOf('lc_collate', ['C', undefined, undefined]), 'follows');
  assert.equal(kindOf('recovery_init_sync_method', [undefined, 'fsync', 'fsync']), 'follows');
  assert.equal(kindOf('lc_collate', ['C', 'en_US', undefined]), 'surprise');
  assert.equal(kindOf('lc_collate', ['C', undefined, undefined], []), 'surprise');
  const oneVersion = difference('setting', 'server_version', builds, ['12.22', '17.9', '17.9']);
  const lacking = ['fsync', 'fsync', undefined];
  assert.equal(kindOf('recovery_init_sync_method', lacking, [oneVersion]), 'surprise');
});

test('between builds, a setting that both have and that was asked for differently is a surprise', () => {
  assert.equal(kind(BUILDS, ['setting', 'work_mem', ['4MB', '64MB'], REQUESTED]), 'surprise');
  assert.equal(kind(BUILDS, ['setting', 'work_mem', ['4MB', '64MB']]), 'surprise');
});

test('one name of a build with two contents is a surprise', () => {
  assert.equal(kind(REPEATS, ['build', 'sha256', ['aa', 'bb']]), 'surprise');
  const runs = [...BUILDS, comparedRun('pg18.4', 'base', 2)];
  assert.equal(kind(runs, ['build', 'sha256', ['aa', 'bb', 'cc']]), 'surprise');
  assert.equal(kind(runs, ['build', 'sha256', ['aa', 'bb', 'bb']]), 'follows');
});

test('flags are the axis among builds of one version, and a surprise beside the version', () => {
  const flags = ['build', 'pg_config_cflags', ['-O2', '-O3']] as const;
  assert.equal(kind([comparedRun('pg18-O2'), comparedRun('pg18-O3')], flags), 'axis');
  const versions = difference('setting', 'server_version', BUILDS, ['17.9', '18.4']);
  assert.equal(kind(BUILDS, flags, [versions]), 'surprise');
  const assertions = ['setting', 'debug_assertions', ['off', 'on'], DEFAULT] as const;
  assert.equal(kind(BUILDS, assertions, [versions]), 'surprise');
});

test('the folder that a build was made for is no difference', () => {
  const values = ["'--prefix=/a' '--with-lz4'", "'--prefix=/b' '--with-lz4'"];
  assert.equal(kind(BUILDS, ['build', 'pg_config_configure', values]), undefined);
  assert.equal(kind(BUILDS, ['build', 'pg_config_bindir', ['/a/bin', '/b/bin']]), undefined);
  const headers = ['build', 'pg_config_includedir-server', ['/a', '/b']] as const;
  assert.equal(kind(BUILDS, headers), undefined);
  assert.equal(kind(BUILDS, ['setting', 'port', ['5432', '5433']]), undefined);
});

test('between configs, requested settings are the axis, computed ones follow, all else is a surprise', () => {
  assert.equal(kind(CONFIGS, ['setting', 'shared_buffers', ['1GB', '2GB'], REQUESTED]), 'axis');
  assert.equal(kind(CONFIGS, ['setting', 'fsync', ['on', 'off'], REQUESTED]), 'axis');
  assert.equal(kind(CONFIGS, ['setting', 'wal_buffers', ['4MB', '16MB'], DEFAULT]), 'follows');
  assert.equal(kind(CONFIGS, ['run', 'config_sha256', ['aa', 'bb']]), 'follows');
  assert.equal(kind(CONFIGS, ['setting', 'data_checksums', ['off', 'on']]), 'surprise');
  assert.equal(kind(CONFIGS, ['setting', 'max_connections', ['100', '90'], DEFAULT]), 'surprise');
  assert.equal(kind(CONFIGS, ['build', 'sha256', ['aa', 'bb']]), 'surprise');
});

test('one name of a config with two contents is a surprise', () => {
  assert.equal(kind(REPEATS, ['setting', 'work_mem', ['4MB', '8MB'], REQUESTED]), 'surprise');
  assert.equal(kind(REPEATS, ['run', 'config_sha256', ['aa', 'bb']]), 'surprise');
});

test('in a matrix each difference goes to the axis that it depends on', () => {
  const settings = (values: readonly (string | undefined)[], more: Partial<Observed>) =>
    kind(MATRIX, ['setting', 'x', values, more]);
  assert.equal(settings(['1', '2', '1', '2'], REQUESTED), 'axis');
  assert.equal(settings([undefined, undefined, '1', '1'], DEFAULT), 'follows');
  assert.equal(settings([undefined, undefined, '1', '2'], REQUESTED), 'axis');
  assert.equal(settings(['1', '1', '2', '2'], REQUESTED), 'surprise');
  assert.equal(settings(['1', '2', '1', '2'], DEFAULT), 'surprise');
});

test('seed, host, tool and load generator are always surprises', () => {
  for (const runs of [REPEATS, BUILDS, CONFIGS]) {
    for (const [area, name] of [
      ['run', 'seed'],
      ['run', 'tool_version'],
      ['host', 'kernel'],
      ['host', 'governor'],
      ['client', 'pin'],
    ] as const) {
      assert.equal(kind(runs, [area, name, ['1', '2']]), 'surprise', name);
    }
  }
});

test('parameters go with the name of the workload', () => {
  const workloads = BUILDS.map((run, i) => ({ ...run, build: 'pg18.4', workload: `w${i}` }));
  assert.equal(kind(workloads, ['workload', 'clients', ['1', '4']]), 'axis');
  assert.equal(kind(BUILDS, ['workload', 'clients', ['1', '4']]), 'surprise');
});

test('surprises come first', () => {
  const found = [
    difference('build', 'sha256', BUILDS, ['a', 'b']),
    difference('host', 'kernel', BUILDS, ['6.1', '6.12']),
  ];
  assert.deepEqual(
    compareRuns(BUILDS, found).differences.map(({ name }) => name),
    ['kernel', 'sha256'],
  );
});

test('values are told with their tags, and with the runs where a tag has several', () => {
  const runs = [...REPEATS, comparedRun('pg17.9')];
  assert.deepEqual(valuesOf(difference('host', 'kernel', runs, ['6.1', '6.12', '6.12']), runs), [
    { value: '6.1', labels: ['pg18.4.base (pg18.4.base#1)'] },
    { value: '6.12', labels: ['pg18.4.base (pg18.4.base#2)', 'pg17.9.base'] },
  ]);
  assert.deepEqual(
    valuesOf(difference('setting', 'io_method', runs, ['worker', 'worker', undefined]), runs),
    [
      { value: 'worker', labels: ['pg18.4.base'] },
      { value: 'absent', labels: ['pg17.9.base'] },
    ],
  );
});

test('settings are written as people write them', () => {
  const written = [
    ['16384', '8kB'],
    ['1025', 'MB'],
    ['300', 's'],
    ['-1', 'kB'],
    ['0', 'ms'],
    ['on', null],
  ] as const;
  assert.deepEqual(
    written.map(([value, unit]) => settingText(value, unit)),
    ['128MB', '1025MB', '300s', '-1', '0ms', 'on'],
  );
});
