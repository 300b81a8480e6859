import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { execa } from 'execa';
import { findBuild } from '../src/builds/find-build.ts';
import {
  applySettings,
  type SettingRow,
  sameValue,
  settingFaults,
} from '../src/postgres/settings.ts';

let directory: string;
before(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-settings-'));
});
after(() => fs.rmSync(directory, { recursive: true }));

function row(fields: Partial<SettingRow>): SettingRow {
  return {
    name: 'x',
    setting: '',
    unit: null,
    vartype: 'string',
    enumvals: null,
    boot_val: null,
    source: 'configuration file',
    pending_restart: false,
    ...fields,
  };
}

const integer = (unit: string | null, setting: string) =>
  row({ vartype: 'integer', unit, setting });
const real = (unit: string | null, setting: string) => row({ vartype: 'real', unit, setting });
const bool = (setting: string) => row({ vartype: 'bool', setting });
const word = (setting: string, enumvals: string) => row({ vartype: 'enum', setting, enumvals });
const text = (setting: string) => row({ setting });

test('a value as written in a file means what pg_settings shows', () => {
  const same: [string, SettingRow][] = [
    ['1GB', integer('8kB', '131072')],
    ['1024MB', integer('8kB', '131072')],
    ['131072', integer('8kB', '131072')],
    ['1073741824B', integer('8kB', '131072')],
    ['1.5GB', integer('8kB', '196608')],
    ['30.1GB', integer('kB', '31561728')],
    ['16MB', integer('16MB', '1')],
    ['2GB', integer('MB', '2048')],
    ['1TB', integer('MB', '1048576')],
    ['64 kB', integer('B', '65536')],
    ['5min', integer('s', '300')],
    ['300s', integer('s', '300')],
    ['300000ms', integer('s', '300')],
    ['0.08h', integer('s', '300')],
    ['1d', integer('min', '1440')],
    ['1500us', integer('ms', '2')],
    ['2500us', integer('ms', '2')],
    ['10s', integer('ms', '10000')],
    ['-1', integer('kB', '-1')],
    ['+7', integer(null, '7')],
    ['0x10', integer(null, '16')],
    ['-0x10', integer(null, '-16')],
    ['010', integer(null, '8')],
    ['1e2', integer(null, '100')],
    ['0640', integer(null, '0640')],
    ['416', integer(null, '0640')],
    ['2.5', integer(null, '2')],
    ['3.5', integer(null, '4')],
    ['9223372036854775807B', integer('8kB', '1125899906842624')],
    ['0.9', real(null, '0.9')],
    ['.9', real(null, '0.9')],
    ['9e-1', real(null, '0.9')],
    ['0.90', real(null, '0.9')],
    ['010', real(null, '10')],
    ['1.23456789', real(null, '1.23457')],
    ['2ms', real('ms', '2')],
    ['1500us', real('ms', '1.5')],
    ['-1', real('ms', '-1')],
    ['1e10', real(null, '1e+10')],
    ...['on', 'ON', 'true', 'True', 't', 'tr', 'yes', 'y', '1'].map(
      (value): [string, SettingRow] => [value, bool('on')],
    ),
    ...['off', 'OFF', 'of', 'false', 'f', 'no', 'n', '0'].map((value): [string, SettingRow] => [
      value,
      bool('off'),
    ]),
    ['Replica', word('replica', 'minimal,replica,logical')],
    ['archive', word('replica', 'minimal,replica,logical')],
    ['on', word('pglz', 'pglz,lz4,on,off')],
    ['true', word('on', 'off,on,try')],
    ['repeatable read', word('repeatable read', 'serializable,repeatable read')],
    ['a, b', text('a, b')],
    ['a,b', text('a, b')],
    ['"a", b', text('a,b')],
    ['utc', text('UTC')],
    ['', text('')],
  ];
  for (const [value, shown] of same) {
    assert.equal(sameValue(value, shown), true, `${value} and ${shown.setting} × ${shown.unit}`);
  }
});

test('another value is another value', () => {
  const different: [string, SettingRow][] = [
    ['1GB', integer('8kB', '131071')],
    ['1GB', integer('kB', '131072')],
    ['1.5GB', integer('8kB', '131072')],
    ['5min', integer('s', '299')],
    ['5min', integer('kB', '300000')],
    ['1gb', integer('kB', '1048576')],
    ['1KB', integer('kB', '1')],
    ['100MB', integer(null, '100')],
    ['640', integer(null, '0640')],
    ['-1', integer('kB', '1')],
    ['08', integer(null, '0')],
    ['', integer(null, '0')],
    ['many', integer(null, '0')],
    ['0.9', real(null, '0.91')],
    ['1.2346', real(null, '1.23457')],
    ['on', bool('off')],
    ['o', bool('on')],
    ['enabled', bool('on')],
    ['logical', word('replica', 'minimal,replica,logical')],
    ['off', word('pglz', 'pglz,lz4,on,off')],
    ['on', word('try', 'off,on,try')],
    ['a', text('a, b')],
    ['b, a', text('a, b')],
    ['', text('a')],
  ];
  for (const [value, shown] of different) {
    assert.equal(sameValue(value, shown), false, `${value} and ${shown.setting} × ${shown.unit}`);
  }
});

test('numbers and units mean what the embedded PostgreSQL takes them for', async () => {
  const build = await findBuild(undefined);
  const units = { shared_buffers: '8kB', work_mem: 'kB', max_wal_size: 'MB' } as const;
  const times = {
    checkpoint_timeout: 's',
    deadlock_timeout: 'ms',
    log_rotation_age: 'min',
  } as const;
  const cases = [
    ...Object.entries(units).flatMap(([name, unit]) =>
      [
        '1GB',
        '1.5GB',
        '30.1GB',
        '0.001TB',
        '1000000kB',
        '123456789B',
        '0x4000',
        '16777',
        '040000',
      ].map((value) => [name, unit, value] as const),
    ),
    ...Object.entries(times).flatMap(([name, unit]) =>
      ['5min', '0.08h', '90500ms', '90s', '0.03d', '100000001us', '0x100', '1e2'].map(
        (value) => [name, unit, value] as const,
      ),
    ),
  ];
  for (const [name, unit, value] of cases) {
    fs.writeFileSync(path.join(directory, 'postgresql.conf'), `${name} = '${value}'\n`);
    const { stdout } = await execa(
      path.join(build.root, 'bin', 'postgres'),
      ['-C', name, '-D', directory],
      { reject: false },
    );
    assert.notEqual(stdout, '', `${name} = ${value} is refused`);
    assert.equal(sameValue(value, integer(unit, stdout)), true, `${name} = ${value}: ${stdout}`);
    const next = String(Number(stdout) + 1);
    assert.equal(sameValue(value, integer(unit, next)), false, `${name} = ${value}: ${next}`);
  }
});

test('a setting that did not take is told with its line and both values', () => {
  const requested = (name: string, value: string) => [{ name, value, origin: 'c.conf:7' }];
  const faults = (value: string, shown: Partial<SettingRow>): string[] =>
    settingFaults(requested('work_mem', value), [
      row({ name: 'work_mem', vartype: 'integer', unit: 'kB', setting: '4096', ...shown }),
    ]);
  assert.deepEqual(faults('4MB', {}), []);
  assert.deepEqual(faults('8MB', {}), [
    'work_mem (c.conf:7): requested 8MB, the server has 4096 × kB',
  ]);
  assert.deepEqual(faults('4MB', { source: 'command line' }), [
    'work_mem (c.conf:7): requested 4MB, but its value 4096 × kB comes from: command line',
  ]);
  assert.deepEqual(faults('4MB', { pending_restart: true }), [
    'work_mem (c.conf:7): requested 4MB, but it waits for a restart',
  ]);
  assert.deepEqual(settingFaults(requested('wrok_mem', '4MB'), []), [
    'wrok_mem (c.conf:7): requested 4MB, but this server has no such setting',
  ]);
  assert.match(
    settingFaults(requested('foo.bar', '1'), []).join(),
    /^foo\.bar \(c\.conf:7\): requested 1, but no extension .* shared_preload_libraries$/,
  );
});

test('a value that leaves the choice to the server has taken when the server chose', () => {
  const walBuffers = row({
    name: 'wal_buffers',
    vartype: 'integer',
    unit: '8kB',
    setting: '512',
    boot_val: '-1',
    source: 'override',
  });
  const fault = (value: string) =>
    settingFaults([{ name: 'wal_buffers', value, origin: 'c.conf:1' }], [walBuffers]).length;
  assert.equal(fault('-1'), 0);
  assert.equal(fault('8MB'), 1);
  assert.equal(fault('4MB'), 1, 'the same value, but not from the file');
});

test('every fault is told, not only the first', () => {
  const requested = [
    { name: 'a', value: '1', origin: 'c.conf:1' },
    { name: 'b', value: '2', origin: 'c.conf:2' },
    { name: 'c', value: '3', origin: 'c.conf:3' },
  ];
  const rows = [row({ name: 'a', setting: '1' }), row({ name: 'b', setting: 'x' })];
  assert.equal(settingFaults(requested, rows).length, 2);
});

test('each setting of the server carries what was requested, or null', () => {
  const rows = [row({ name: 'DateStyle', setting: 'ISO' }), row({ name: 'work_mem' })];
  const requested = [
    { name: 'datestyle', value: 'iso', origin: 'c.conf:1' },
    { name: 'nonsense', value: '1', origin: 'c.conf:2' },
  ];
  const applied = applySettings(requested, rows);
  assert.deepEqual(
    applied.map(({ name, requested }) => [name, requested]),
    [
      ['DateStyle', 'iso'],
      ['work_mem', null],
    ],
  );
});
