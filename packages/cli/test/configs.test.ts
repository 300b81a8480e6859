import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { resolveConfig, type ServerConfig } from '@ibench/host';
import { configNames, readConfig } from '../src/read-config.ts';
import { temporaryDirectory } from './support.ts';

const CLI = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));
const GB = 1024 ** 3;

interface Published {
  readonly config: string;
  readonly pg_versions: readonly number[];
  readonly settings: Readonly<Record<string, string>>;
}

const { configs: PUBLISHED } = JSON.parse(
  fs.readFileSync(new URL('../../test/fixtures/published-configs.json', import.meta.url), 'utf8'),
) as { readonly configs: readonly Published[] };

function resolve(name: string, major: number, memoryBytes: number): ServerConfig {
  const build = { name: `pg${major}.0`, version: `${major}.0` };
  return resolveConfig(readConfig(name), { build, memoryBytes });
}

function ibench(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

/** Sizes in kB; other values as they are. */
function sizeOf(value: string): number | string {
  const match = /^(\d+)(kB|MB|GB)$/.exec(value);
  if (match === null) return value;
  return Number(match[1]) * { kB: 1, MB: 1024, GB: 1024 ** 2 }[match[2] as 'kB' | 'MB' | 'GB'];
}

/** The same settings with the same values; sizes may be a hundredth apart, as shares of memory are rounded. */
function assertPublished(
  resolved: ServerConfig,
  published: Readonly<Record<string, string>>,
): void {
  const values = Object.fromEntries(resolved.settings.map(({ name, value }) => [name, value]));
  assert.deepEqual(Object.keys(values).sort(), Object.keys(published).sort(), resolved.name);
  for (const [name, wanted] of Object.entries(published)) {
    const [is, was] = [sizeOf(values[name] as string), sizeOf(wanted)];
    const where = `${resolved.name}: ${name} is ${values[name]}, published ${wanted}`;
    if (typeof is === 'string' || typeof was === 'string') assert.equal(is, was, where);
    else assert.ok(Math.abs(is / was - 1) <= 0.01, where);
  }
}

test('the configurations for servers of a certain size are those published, version by version', () => {
  const exact = PUBLISHED.filter(({ config }) => /^cx10[ab]_c\d+r\d+$/.test(config));
  const seen = exact.flatMap(({ config, pg_versions, settings }) =>
    pg_versions.flatMap((major) => {
      // Version 11 is not supported. Version 16 was published with and without the limit.
      if (major < 12) return [];
      if (config === 'cx10a_c8r32' && major === 16 && !('vacuum_buffer_usage_limit' in settings)) {
        return [];
      }
      const values = resolve(config, major, GB).settings.map(({ name, value }) => [name, value]);
      assert.deepEqual(Object.fromEntries(values), settings, `${config} on ${major}`);
      return [`${config} ${major}`];
    }),
  );
  const majors = (name: string) => [12, 13, 14, 15, 16, 17, 18].map((major) => `${name} ${major}`);
  assert.deepEqual(seen.sort(), [
    ...majors('cx10a_c32r128'),
    ...majors('cx10a_c8r32'),
    'cx10b_c32r128 18',
    'cx10b_c8r32 18',
  ]);
});

test('the configurations that follow the memory are those published, on a server of that size', () => {
  let compared = 0;
  for (const { config, settings } of PUBLISHED) {
    const name = /^(cx10(?:a_sync\w+|[bcd]\w*))_c8r32$/.exec(config)?.[1];
    if (name === undefined) continue;
    const major = config.startsWith('cx10a') ? 17 : 18;
    // For 18 the limit was published for the larger server only.
    const expected = major === 18 ? { ...settings, vacuum_buffer_usage_limit: '256MB' } : settings;
    assertPublished(resolve(name, major, 32 * GB), expected);
    compared += 1;
  }
  assert.equal(compared, 8 + 6);
});

test('the series a0 … a28 is the one published, on a server of that size', () => {
  const series = PUBLISHED.filter(({ config }) => config.startsWith('cx7a'));
  for (const { config, settings } of series) {
    const number = /^cx7a(\d*)_gcp_c2s30$/.exec(config)?.[1];
    const resolved = resolve(`a${number === '' ? '0' : number}`, 15, 120 * GB);
    // What it leaves out is the default that its base has.
    const expected = number === '20' ? { ...settings, wal_compression: 'off' } : settings;
    assertPublished(resolved, { ...expected, ...megabytes(expected) });
  }
  assert.equal(series.length, 29);
});

/** A size without a unit, which min_wal_size has in one file. */
function megabytes({ min_wal_size }: Readonly<Record<string, string>>): Record<string, string> {
  return min_wal_size === undefined ? {} : { min_wal_size: `${min_wal_size}MB` };
}

test('each configuration says what it is and where it is from', () => {
  const names = configNames();
  assert.ok(names.indexOf('a2') < names.indexOf('a10'), 'a2 comes before a10');
  for (const name of names) {
    const { description, versions } = readConfig(name);
    assert.match(description ?? '', /^\w.*[.:]/, name);
    assert.ok(versions.from >= 12, name);
  }
});

test('configs list has every configuration, in every format', () => {
  const { code, stdout } = ibench('configs', 'list');
  assert.equal(code, 0);
  assert.match(stdout, /^cx10b_fpw0 +18- +29 +cx10b, cx10a +cx10b without full page writes\.$/m);
  const json = ibench('configs', 'list', '--format', 'json');
  const [table] = JSON.parse(json.stdout) as [{ rows: { values: { name: string } }[] }];
  assert.deepEqual(
    table.rows.map(({ values }) => values.name),
    configNames(),
  );
});

test('configs show gives lines for postgresql.conf with their origin, or JSON', (t) => {
  const file = path.join(temporaryDirectory(t), 'my.conf');
  fs.writeFileSync(file, '# Mine.\nwork_mem = 1% of memory\nwork_mem = 8MB\n');
  const shown = ibench('configs', 'show', file);
  assert.deepEqual(
    [shown.code, shown.stdout],
    [0, '# config my on version 18\n# Mine.\nwork_mem = 8MB  # my.conf:3; overrules my.conf:2\n'],
  );
  const { code, stdout } = ibench('configs', 'show', 'a16', '--format', 'json');
  assert.equal(code, 0);
  const { name, build, memory_bytes, settings } = JSON.parse(stdout);
  assert.deepEqual([name, typeof memory_bytes], ['a16', 'number']);
  assert.match(build, /^pg18/);
  const buffers = settings.find((one: { name: string }) => one.name === 'shared_buffers');
  assert.deepEqual(
    { ...buffers, value: null },
    {
      name: 'shared_buffers',
      value: null,
      origin: buffers.origin,
      expression: '58.3% of memory',
      overrules: [],
    },
  );
  assert.match(buffers.value, /^\d+[Mk]B$/);
});

test('configs diff shows what is in force under each, with the default of the other', (t) => {
  const directory = temporaryDirectory(t);
  const write = (name: string, text: string) => {
    fs.writeFileSync(path.join(directory, `${name}.conf`), text);
    return path.join(directory, `${name}.conf`);
  };
  const a = write('a', 'work_mem = 8192kB\nfsync = true\n');
  const b = write('b', "include 'a'\nwork_mem = 8MB\ncheckpoint_timeout = 1800000ms\n");
  const { code, stdout } = ibench('configs', 'diff', a, b, '--format', 'csv');
  assert.equal(code, 0);
  assert.match(stdout, /checkpoint_timeout,5min,30min,default,b\.conf:3/);
  assert.doesNotMatch(stdout, /work_mem|fsync/);
  assert.match(ibench('configs', 'diff', a, a).stdout, /no setting differs[\s\S]*2 more/);
});

test('what is wrong with a configuration is refused before anything starts', (t) => {
  const directory = temporaryDirectory(t);
  const runs = path.join(directory, 'runs');
  const cases: [text: string, expected: RegExp][] = [
    ["include 'none'\n", /bad\.conf:1: include 'none': ENOENT/],
    ["include 'bad'\n", /bad\.conf:1: include 'bad' goes round in a circle: bad → bad/],
    ['# versions: all\n', /bad\.conf:1: expected "# versions: 13-17"/],
    ['# versions: 12-14\n', /config bad is for versions 12-14, build pg18\S+ has version 18/],
    [
      '\nshared_bufers = 1GB\n',
      /bad\.conf:2: shared_bufers = 1GB: pg18\S+ has no such setting, did you mean shared_buffers\?/,
    ],
    ['fsync = 1GB\n', /bad\.conf:1: fsync = 1GB: parameter "fsync" requires a Boolean value/],
  ];
  const file = path.join(directory, 'bad.conf');
  for (const [text, expected] of cases) {
    fs.writeFileSync(file, text);
    const { code, stderr } = ibench('run', '--config', file, '--runs-dir', runs);
    assert.equal(code, 2, text);
    assert.match(stderr, expected);
  }
  assert.ok(!fs.existsSync(runs));
  const unknown = ibench('configs', 'show', 'cx10aa');
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /unknown config "cx10aa", did you mean "cx10a"\?/);
});
