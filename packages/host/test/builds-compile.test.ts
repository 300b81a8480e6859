import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type CompileOptions, compileBuild } from '../src/builds/compile.ts';
import { inCompileLock } from '../src/builds/compile-lock.ts';
import { DEFAULT_CFLAGS } from '../src/builds/default-name.ts';
import { embeddedAndFolder } from './builds-support.ts';
import { makeDirectory } from './server-support.ts';

/** A source whose compiler copies the embedded build, slowly enough to be met at work. */
async function fakeSource(t: TestContext) {
  const { root, buildsDirectory } = await embeddedAndFolder(t);
  const [source, bin] = [makeDirectory(t), makeDirectory(t)];
  const calls = path.join(bin, 'calls');
  fs.writeFileSync(calls, '');
  const script = (file: string, lines: readonly string[]) =>
    fs.writeFileSync(file, ['#!/bin/sh -e', ...lines, ''].join('\n'), { mode: 0o755 });
  script(path.join(source, 'configure'), [
    "PACKAGE_NAME='PostgreSQL'",
    "PACKAGE_VERSION='15.18'",
    'echo "$1" | sed s/--prefix=// > prefix',
  ]);
  script(path.join(bin, 'make'), [
    `if [ "$1" != install ]; then echo compile >> "${calls}"; exec sleep 0.3; fi`,
    'to=$(echo "$2" | sed s/DESTDIR=//)$(cat prefix)',
    `mkdir -p "$to"; cp -a "${root}/." "$to"`,
  ]);
  script(path.join(bin, 'cc'), ['echo cc 1']);
  const said: string[] = [];
  const compile = (more: Partial<CompileOptions> = {}) =>
    compileBuild({
      buildsDirectory,
      source,
      ref: null,
      name: null,
      cflags: DEFAULT_CFLAGS,
      options: [],
      system: 'configure',
      jobs: 1,
      path: `${bin}:/usr/bin:/bin`,
      progress: () => {},
      say: (text) => said.push(text),
      ...more,
    });
  const compilations = () => fs.readFileSync(calls, 'utf8').split('\n').length - 1;
  return { compile, compilations, said };
}

test('builds of one source with several flags are kept under names of their own', async (t) => {
  const { compile, compilations } = await fakeSource(t);
  const other = await compile({ cflags: '-O0', options: ['--without-icu'] });
  const plain = await compile();
  assert.match(plain.build.name, /^pg15\.18-[0-9a-f]{7}$/);
  assert.match(other.build.name, new RegExp(`^${plain.build.name}-[0-9a-f]{4}$`));
  const again = await compile({ cflags: '-O0', options: ['--without-icu'] });
  assert.deepEqual([again.build.name, again.isCached], [other.build.name, true]);
  assert.equal(compilations(), 2);
  await assert.rejects(compile({ name: plain.build.name, cflags: '-O1' }), {
    name: 'UsageError',
    message: /^--name \S+: taken by .* with -O2 -fno\S+\); this is .* with -O1: give another one/,
  });
});

test('make cannot work below a folder with a blank in its name, which is said before it starts', async (t) => {
  const { compile, compilations } = await fakeSource(t);
  const buildsDirectory = path.join(makeDirectory(t), 'my builds');
  await assert.rejects(compile({ buildsDirectory }), {
    name: 'UsageError',
    message: /^builds in ".*\/my builds": make, .* takes no blanks in a path; .*--builds-dir/,
  });
  assert.deepEqual([compilations(), fs.readdirSync(buildsDirectory)], [0, []]);
});

test('of two that compile the same at once the second waits and finds the build', async (t) => {
  const { compile, compilations, said } = await fakeSource(t);
  const [first, second] = await Promise.all([compile(), compile()]);
  assert.equal(compilations(), 1);
  assert.deepEqual([first.isCached, second.isCached].sort(), [false, true]);
  assert.equal(first.build.name, second.build.name);
  assert.equal(said.filter((text) => /another process is compiling/.test(text)).length, 1);
});

test('who waits for another compilation can be interrupted, with the reason', async (t) => {
  const reason = new Error('interrupted by SIGINT');
  const aborted = new AbortController();
  const key = `test-${process.pid}-${t.name.length}`;
  await inCompileLock({ key, onWait: () => assert.fail('nobody is at it') }, async () => {
    const { signal } = aborted;
    const onWait = () => setImmediate(() => aborted.abort(reason));
    const second = inCompileLock({ key, onWait, signal }, () => assert.fail('two at once'));
    await assert.rejects(second, reason);
  });
  assert.equal(await inCompileLock({ key, onWait: () => assert.fail() }, async () => 7), 7);
});
