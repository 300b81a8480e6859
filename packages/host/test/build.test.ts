import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { RunError, UsageError } from '@ibench/core';
import { embeddedLibpq } from '../src/builds/embedded.ts';
import { findBuild } from '../src/builds/find-build.ts';
import { makeDirectory } from './server-support.ts';

test('the embedded build is found by nothing, by its name and by its version', async () => {
  const build = await findBuild(undefined);
  assert.match(build.version, /^\d+(\.\d+|\w+)$/);
  assert.equal(build.name, `pg${build.version}`);
  assert.match(build.sha256, /^[0-9a-f]{64}$/);
  for (const name of ['embedded', build.name, build.version, build.root, `${build.root}/`]) {
    const found = await findBuild(name);
    const { root, source } = build;
    assert.deepEqual({ ...found, root, source }, build, name);
    assert.equal(path.resolve(found.root), path.resolve(build.root), name);
  }
});

test('the client library of the embedded build is there', () => {
  assert.match(embeddedLibpq(), /libpq\./);
  assert.ok(fs.statSync(embeddedLibpq()).size > 0);
});

test('an unknown build is refused with what there is', async () => {
  const { name } = await findBuild(undefined);
  await assert.rejects(
    findBuild('pg99'),
    (error: Error) =>
      error instanceof UsageError &&
      error.message.startsWith(`unknown build "pg99": expected ${name} (embedded), or a directory`),
  );
});

test('a directory without a server is refused with the file that is missing', async (t) => {
  const directory = makeDirectory(t);
  await assert.rejects(
    findBuild(directory),
    (error: Error) =>
      error instanceof UsageError &&
      error.message === `build ${directory}: there is no ${directory}/bin/postgres`,
  );
});

test('a program that does not say a version of PostgreSQL is no build', async (t) => {
  const directory = makeDirectory(t);
  fs.mkdirSync(path.join(directory, 'bin'));
  const program = path.join(directory, 'bin', 'postgres');
  const scripts = {
    mute: '#!/bin/sh\n',
    other: '#!/bin/sh\necho "MySQL 9"\n',
    fails: '#!/bin/sh\nexit 3\n',
  };
  for (const [name, text] of Object.entries(scripts)) {
    fs.writeFileSync(program, text, { mode: 0o755 });
    await assert.rejects(
      findBuild(directory),
      (error: Error) =>
        error instanceof RunError &&
        error.message.startsWith(`${program} --version did not say a version: `),
      name,
    );
  }
  fs.chmodSync(program, 0o644);
  await assert.rejects(findBuild(directory), /EACCES/);
});
