import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { RunError } from '@ibench/core';
import { findBuild } from '../src/builds/find-build.ts';
import { type ClusterOptions, createCluster } from '../src/postgres/cluster.ts';
import { configOf, makeDirectory, SERVER_UID, USER } from './server-support.ts';

async function clusterOptions(t: TestContext, text: string): Promise<ClusterOptions> {
  const dataDirectory = path.join(makeDirectory(t), 'data');
  fs.mkdirSync(dataDirectory, { mode: 0o700 });
  if (USER !== null) fs.chownSync(dataDirectory, USER.uid, USER.gid);
  const build = await findBuild(undefined);
  return {
    build,
    config: configOf(text, build, 'mine'),
    user: USER,
    dataDirectory,
    socketDirectory: '/tmp/ibench-Ab12xy',
    port: 5433,
    listen: false,
  };
}

test('the configuration comes last, and after it only what is the runner’s', async (t) => {
  const options = await clusterOptions(t, 'work_mem = 1MB\n# the end, without a newline');
  await createCluster(options);
  const text = fs.readFileSync(path.join(options.dataDirectory, 'postgresql.conf'), 'utf8');
  const ours = text.slice(text.indexOf('# --- configuration mine ---'));
  assert.deepEqual(parseNames(ours), [
    'work_mem',
    'unix_socket_directories',
    'listen_addresses',
    'port',
    'logging_collector',
    'log_destination',
  ]);
  assert.match(ours, /^listen_addresses = ''$/m);
  for (const name of ['PG_VERSION', 'base', 'global']) {
    assert.equal(fs.statSync(path.join(options.dataDirectory, name)).uid, SERVER_UID);
  }
});

function parseNames(text: string): string[] {
  return [...text.matchAll(/^(\w+) = /gm)].map(([, name]) => name as string);
}

test('initdb’s own words tell why there is no cluster', async (t) => {
  const options = await clusterOptions(t, '');
  const file = path.join(options.dataDirectory, 'precious');
  fs.writeFileSync(file, '');
  await assert.rejects(createCluster(options), (error: Error) => {
    assert.ok(error instanceof RunError);
    assert.match(error.message, /^initdb of pg\S+ in .*\/data failed:\n/);
    assert.match(error.message, /exists but is not empty/);
    return true;
  });
  assert.ok(fs.existsSync(file));
});

test('a build without initdb, or one that fails without a word, is told', async (t) => {
  const options = await clusterOptions(t, '');
  const root = makeDirectory(t);
  const build = { ...options.build, root };
  await assert.rejects(createCluster({ ...options, build }), /initdb of pg\S+ .*failed:\n.*ENOENT/);
  fs.mkdirSync(path.join(root, 'bin'));
  fs.writeFileSync(path.join(root, 'bin', 'initdb'), '#!/bin/sh\nexit 5\n', { mode: 0o755 });
  await assert.rejects(createCluster({ ...options, build }), /failed:\n.*exit code 5/);
});

test('a build is not run from a path that initdb would hand to a shell as something else', async (t) => {
  const options = await clusterOptions(t, '');
  for (const name of ['a "b"', 'a $b', 'a `b`', 'a\\b']) {
    const root = path.join(makeDirectory(t), name);
    await assert.rejects(
      createCluster({ ...options, build: { ...options.build, root } }),
      (error: Error) =>
        error instanceof RunError &&
        error.message.includes(`cannot work in ${root}, because of the`),
    );
  }
});
