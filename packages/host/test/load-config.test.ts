import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { UsageError } from '@ibench/core';
import { loadConfig } from '../src/config/load-config.ts';
import { resolveConfig, type ServerConfig } from '../src/config/resolve-config.ts';
import { usableMemory } from '../src/config/usable-memory.ts';
import { describeVersions } from '../src/config/versions.ts';
import { makeDirectory } from './server-support.ts';

const GB = 1024 ** 3;

function write(t: TestContext, files: Readonly<Record<string, string>>): string {
  const directory = makeDirectory(t);
  for (const [name, text] of Object.entries(files)) {
    fs.writeFileSync(path.join(directory, `${name}.conf`), text);
  }
  return directory;
}

function on(version: string, memoryBytes: number, directory: string, name: string): ServerConfig {
  const build = { name: `pg${version}`, version };
  return resolveConfig(loadConfig(path.join(directory, `${name}.conf`)), { build, memoryBytes });
}

test('an include stands for the lines of another file; of a name given twice the last counts', (t) => {
  const directory = write(t, {
    base: '# The base.\n# versions: 12-18\nshared_buffers = 25% of memory\nwork_mem = 4MB\nSearch_Path = \'a, "b"\'\n',
    middle: "# versions: 13-\ninclude 'base'\nwork_mem = 8MB\n",
    top: "# The top.\ninclude = 'middle.conf'\nWORK_MEM = 16MB # why\n",
  });
  const config = loadConfig(path.join(directory, 'top.conf'));
  assert.deepEqual(
    [config.name, config.description, describeVersions(config.versions), config.includes],
    ['top', 'The top.', '13-18', ['middle', 'base']],
  );
  const resolved = on('17.9', 10 * GB, directory, 'top');
  assert.equal(
    resolved.text,
    `# config top on version 17
# The top.
# memory: ${10 * GB} bytes
shared_buffers = 2560MB  # 25% of memory; base.conf:3
work_mem = 16MB  # top.conf:3; overrules base.conf:4, middle.conf:3
search_path = 'a, "b"'  # base.conf:5
`,
  );
  assert.equal(resolved.memoryBytes, 10 * GB);
  const names = ['shared_buffers', 'work_mem', 'search_path'];
  const shown = resolved.settings.map(({ name, value, origin, expression }) => [
    name,
    value,
    origin,
    expression,
  ]);
  assert.deepEqual(shown, [
    [names[0], '2560MB', 'base.conf:3', '25% of memory'],
    [names[1], '16MB', 'top.conf:3', null],
    [names[2], 'a, "b"', 'base.conf:5', null],
  ]);
});

test('a line holds on the versions it names; without shares the memory is not recorded', (t) => {
  const directory = write(t, {
    c: 'work_mem = 1MB\nwork_mem = 2MB # versions: 13-14\nwork_mem = 3MB # versions: 15-\n',
  });
  const values = ['12.22', '13.23', '14.0', '15.17', '19devel', '18beta1'].map((version) => {
    const { settings, memoryBytes } = on(version, GB, directory, 'c');
    assert.equal(memoryBytes, null);
    return settings.map(({ value }) => value).join();
  });
  assert.deepEqual(values, ['1MB', '2MB', '2MB', '3MB', '3MB', '3MB']);
});

test('a share is rounded down to megabytes, below one to kilobytes', (t) => {
  const directory = write(t, { c: 'work_mem = 12.5% of memory\n' });
  const of = (bytes: number) => on('18.4', bytes, directory, 'c').settings[0]?.value;
  assert.deepEqual([of(GB), of(GB + 8e6), of(4e6)], ['128MB', '128MB', '488kB']);
  assert.match(on('18.4', GB, directory, 'c').text, /^work_mem = 128MB {2}# 12\.5% of memory; c/m);
});

test('a version that a configuration is not for is refused', (t) => {
  const directory = write(t, { base: '# versions: 15-17\n', c: "include 'base'\n" });
  for (const version of ['14.22', '18.4']) {
    assert.throws(
      () => on(version, GB, directory, 'c'),
      (error: Error) =>
        error instanceof UsageError &&
        error.message ===
          `config c is for versions 15-17, build pg${version} has version ${version}: choose another config or build`,
    );
  }
});

test('what is wrong with includes is told with the place and the way there', (t) => {
  const deep = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`deep${i}`, `include 'deep${i + 1}'\n`]),
  );
  const directory = write(t, {
    ...deep,
    base: 'fsync = on\n',
    typo: "# x\ninclude 'bsae'\n",
    self: "include 'self'\n",
    a: "include 'b'\n",
    b: "# x\ninclude 'c'\n",
    c: "include './a.conf'\n",
    broken: 'fsync = on\nwork_mem = = 1\n',
    breaks: "include 'broken'\n",
    breaksTwice: "\ninclude 'breaks'\n",
    owned: "include 'port'\n",
    port: 'port = 5432\n',
    old: '# versions: 12-14\n',
    new: "# versions: 15-\nfsync = on\ninclude 'old'\n",
    folder: "include 'sub'\n",
    twice: "include 'base'\ninclude 'base'\n",
  });
  fs.mkdirSync(path.join(directory, 'sub.conf'));
  const at = (place: string) => path.join(directory, place);
  const cases: Record<string, string> = {
    typo: `${at('typo.conf:2')}: include 'bsae': ENOENT: no such file or directory, open '${at('bsae.conf')}', did you mean 'base'?`,
    self: `${at('self.conf:1')}: include 'self' goes round in a circle: self → self`,
    a: `${at('c.conf:1')}: include './a.conf' goes round in a circle: a → b → c → a (included from ${at('b.conf:2')} (included from ${at('a.conf:1')}))`,
    breaksTwice: `${at('broken.conf:2')}: expected "name = value", the value in single quotes unless it is a word, a plain number or a share such as 25% of memory, got "work_mem = = 1" (included from ${at('breaks.conf:1')} (included from ${at('breaksTwice.conf:2')}))`,
    owned: `${at('port.conf:1')}: port is set by ibench: use --listen for a loopback port (included from ${at('owned.conf:1')})`,
    new: `${at('new.conf:3')}: old is for versions 12-14, what came before for 15-: no version has both`,
    folder: `${at('folder.conf:1')}: include 'sub': EISDIR: illegal operation on a directory, read`,
  };
  for (const [name, message] of Object.entries(cases)) {
    assert.throws(
      () => loadConfig(at(`${name}.conf`)),
      (error: Error) => {
        assert.ok(error instanceof UsageError, error.stack);
        assert.equal(error.message, message);
        return true;
      },
    );
  }
  assert.throws(
    () => loadConfig(at('deep0.conf')),
    /deep9\.conf:1: include 'deep10': more than 10/,
  );
  assert.deepEqual(loadConfig(at('twice.conf')).includes, ['base']);
});

test('all lines that cannot be read are told at once, in a file and in those that it includes', (t) => {
  const directory = write(t, {
    one: 'port = 1\nfsync = on\nwork_mem = = 1\n',
    two: '# versions: soon\ninclude_dir = x\n',
    all: "include 'one'\ninclude 'none'\nfsync = off\ninclude 'two'\n",
  });
  assert.throws(
    () => loadConfig(path.join(directory, 'all.conf')),
    (error: Error) => {
      assert.ok(error instanceof UsageError);
      const places = error.message
        .split('\n')
        .map((line) => line.match(/\w+\.conf:\d+/g)?.join(' '));
      const expected = ['one.conf:1 all.conf:1', 'one.conf:3 all.conf:1', 'all.conf:2'];
      assert.deepEqual(places, [...expected, 'two.conf:1 all.conf:4', 'two.conf:2 all.conf:4']);
      return true;
    },
  );
});

test('memory is the host’s, or what the control group leaves of it', () => {
  assert.equal(usableMemory(8 * GB, 2 * GB), 2 * GB);
  assert.equal(usableMemory(8 * GB, 2 ** 64), 8 * GB);
  assert.equal(usableMemory(8 * GB, 0), 8 * GB);
  assert.equal(usableMemory(8 * GB, undefined), 8 * GB);
});
