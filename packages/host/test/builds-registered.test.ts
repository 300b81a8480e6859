import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { UsageError } from '@ibench/core';
import { addDirectory } from '../src/builds/add-directory.ts';
import { defaultBuildsDirectory, registeredNames } from '../src/builds/builds-directory.ts';
import { findBuild } from '../src/builds/find-build.ts';
import { installed } from '../src/builds/install-npm.ts';
import { listManifests, quickChanges } from '../src/builds/registered.ts';
import { removeBuilds } from '../src/builds/remove.ts';
import { copyOfEmbedded, embeddedAndFolder } from './builds-support.ts';
import { makeDirectory } from './server-support.ts';

/** A module that no server loads by itself. */
const MODULE = 'lib/postgresql/amcheck.so';

function refuses(promise: Promise<unknown>, message: RegExp): Promise<void> {
  return assert.rejects(promise, (error: Error) => {
    assert.ok(error instanceof UsageError, error.stack);
    assert.match(error.message, message);
    return true;
  });
}

test('the folder of builds is outside of the clone', () => {
  assert.equal(defaultBuildsDirectory({ IBENCH_BUILDS: '/b', XDG_DATA_HOME: '/x' }), '/b');
  assert.equal(defaultBuildsDirectory({ XDG_DATA_HOME: '/x' }), '/x/ibench/builds');
  assert.match(defaultBuildsDirectory({}), /\/\.local\/share\/ibench\/builds$/);
});

test('a registered directory is found by its name as long as its files are the same', async (t) => {
  const { copy, buildsDirectory } = await copyOfEmbedded(t);
  const embedded = await findBuild(undefined);
  const added = await addDirectory(copy, { buildsDirectory, name: 'mine' });
  assert.equal(added.root, copy);
  assert.equal(added.fingerprint.digest, embedded.fingerprint.digest);
  assert.deepEqual(added.fingerprint, embedded.fingerprint);
  assert.deepEqual(await findBuild('mine', buildsDirectory), added);
  assert.deepEqual(registeredNames(buildsDirectory), ['mine']);
  // The same again changes nothing.
  assert.deepEqual(await addDirectory(copy, { buildsDirectory, name: 'mine' }), added);

  fs.appendFileSync(path.join(copy, MODULE), '\0');
  fs.writeFileSync(path.join(copy, 'lib/postgresql/other.so'), '');
  fs.rmSync(path.join(copy, 'lib/postgresql/auth_delay.so'));
  await refuses(findBuild('mine', buildsDirectory), /^build mine is not what was registered: in /);
  await refuses(
    findBuild('mine', buildsDirectory),
    /amcheck\.so has changed, \S+auth_delay\.so is missing, \S+other\.so is new; .*ibench builds remove mine/,
  );
  await refuses(
    addDirectory(copy, { buildsDirectory, name: 'mine' }),
    /the name mine is taken by another build \(directory .*--name/,
  );

  await removeBuilds(buildsDirectory, ['mine']);
  assert.deepEqual(fs.readdirSync(buildsDirectory), []);
  assert.ok(fs.existsSync(path.join(copy, 'bin', 'postgres')), 'the directory keeps its files');
  const again = await addDirectory(copy, { buildsDirectory, name: 'mine' });
  assert.notEqual(again.fingerprint.digest, added.fingerprint.digest);
});

test('a quick look finds what was altered, whatever the file says of its time', async (t) => {
  const { copy, buildsDirectory } = await copyOfEmbedded(t);
  await addDirectory(copy, { buildsDirectory, name: 'mine' });
  const [added] = listManifests(buildsDirectory).manifests;
  assert.ok(added);
  const source = { kind: 'npm', package: 'p', version: '1', integrity: '' } as const;
  const manifest = { ...added, source };
  assert.deepEqual(quickChanges(buildsDirectory, manifest), []);

  const file = path.join(copy, MODULE);
  const { atime, mtime } = fs.statSync(file);
  fs.appendFileSync(file, '\0');
  fs.utimesSync(file, atime, mtime);
  fs.writeFileSync(path.join(copy, 'lib/postgresql/other.so'), '');
  const words = [`${MODULE} has changed`, 'lib/postgresql/other.so is new'];
  assert.deepEqual(quickChanges(buildsDirectory, manifest), words);
  // What is older than the registration is read in a directory of the user's, and not in a folder of ours.
  const later = { ...manifest, registeredAt: new Date(Date.now() + 60_000).toISOString() };
  assert.deepEqual(quickChanges(buildsDirectory, later), words.slice(1));
  assert.deepEqual(quickChanges(buildsDirectory, { ...later, source: added.source }), words);

  fs.truncateSync(file, fs.statSync(file).size - 1);
  fs.rmSync(path.join(copy, 'lib/postgresql/other.so'));
  assert.deepEqual(quickChanges(buildsDirectory, manifest), [], 'as it was');
  fs.rmSync(copy, { recursive: true });
  assert.deepEqual(quickChanges(buildsDirectory, manifest), ['bin/postgres is missing']);
});

test('the name of the embedded build stands for its files alone', async (t) => {
  const { copy, buildsDirectory } = await copyOfEmbedded(t);
  const { name } = await findBuild(undefined);
  const same = await addDirectory(copy, { buildsDirectory });
  assert.equal(same.name, name);
  await removeBuilds(buildsDirectory, [name]);
  fs.appendFileSync(path.join(copy, MODULE), '\0');
  const taken = new RegExp(`the name ${name} is taken by the build that comes with ibench`);
  await refuses(addDirectory(copy, { buildsDirectory }), taken);
  await refuses(findBuild(copy, buildsDirectory), taken);
  assert.deepEqual(fs.readdirSync(buildsDirectory), []);
  const other = await addDirectory(copy, { buildsDirectory, name: `${name}-patched` });
  assert.equal((await findBuild(`${name}-patched`, buildsDirectory)).root, other.root);
});

test('what two register at once is there once, and whole', async (t) => {
  const { root, buildsDirectory } = await embeddedAndFolder(t);
  const options = { buildsDirectory, name: 'both' };
  const builds = await Promise.all([1, 2, 3].map(() => addDirectory(root, options)));
  assert.equal(new Set(builds.map(({ fingerprint }) => fingerprint.digest)).size, 1);
  assert.deepEqual(fs.readdirSync(buildsDirectory), ['both']);
});

test('what a killed process left is no build, and is removed by the next one', async (t) => {
  const { root, buildsDirectory } = await embeddedAndFolder(t);
  const left = path.join(buildsDirectory, '.unfinished-999999999-abcdef');
  fs.mkdirSync(path.join(left, 'build', 'installation'), { recursive: true });
  fs.writeFileSync(path.join(left, 'owner.json'), '{"pid":999999999,"token":"1@gone"}');
  assert.deepEqual(registeredNames(buildsDirectory), []);
  await addDirectory(root, { buildsDirectory, name: 'next' });
  assert.deepEqual(fs.readdirSync(buildsDirectory), ['next']);
});

test('names that cannot be labels, folders or words are refused', async (t) => {
  const { root, buildsDirectory } = await embeddedAndFolder(t);
  for (const name of ['', 'a b', '../x', '.hidden', '-x', 'embedded', 'x'.repeat(64), 'ü']) {
    await refuses(addDirectory(root, { buildsDirectory, name }), /^build name ".*": expected/);
  }
  assert.equal(fs.existsSync(buildsDirectory), false);
});

test('an unknown name is refused with those there are and the nearest', async (t) => {
  const { root, buildsDirectory } = await embeddedAndFolder(t);
  await addDirectory(root, { buildsDirectory, name: 'patched' });
  await refuses(findBuild('patchd', buildsDirectory), /expected pg\S+ \(embedded\), patched, or/);
  await refuses(
    findBuild('patchd', buildsDirectory),
    /did you mean patched\?; builds are installed by /,
  );
  await refuses(findBuild('pg17.99', buildsDirectory), /ibench builds install 17\.99$/);
  await refuses(removeBuilds(buildsDirectory, ['patchd']), /no registered build patchd .*patched/);
});

test('of several builds all are removed or none', async (t) => {
  const { root, buildsDirectory } = await embeddedAndFolder(t);
  for (const name of ['a', 'b']) await addDirectory(root, { buildsDirectory, name });
  await refuses(
    removeBuilds(buildsDirectory, ['a', 'nosuch', 'b', 'none']),
    /no registered build nosuch, none \(registered: a, b\); nothing was removed/,
  );
  await refuses(removeBuilds(buildsDirectory, ['a', '../b']), /^build name /);
  assert.deepEqual(registeredNames(buildsDirectory), ['a', 'b']);
  await removeBuilds(buildsDirectory, ['b', 'a', 'b']);
  assert.deepEqual(fs.readdirSync(buildsDirectory), []);
});

test('a name that stands for another version is refused before anything is fetched', async (t) => {
  const { root, buildsDirectory } = await embeddedAndFolder(t);
  await addDirectory(root, { buildsDirectory, name: 'pg12.22' });
  const version = { postgres: '12.22', npm: '12.22.0' };
  assert.throws(() => installed(version, { buildsDirectory }), {
    name: 'UsageError',
    message: /^the name pg12\.22 is taken by another build \(directory /,
  });
  assert.equal(installed(version, { buildsDirectory, name: 'free' }), null);
});

test('a manifest that cannot be read is named, and the others are listed', async (t) => {
  const { root, buildsDirectory } = await embeddedAndFolder(t);
  await addDirectory(root, { buildsDirectory, name: 'good' });
  fs.mkdirSync(path.join(buildsDirectory, 'bad'));
  fs.writeFileSync(path.join(buildsDirectory, 'bad', 'build.json'), '{"format":1}');
  const { manifests, problems } = listManifests(buildsDirectory);
  assert.deepEqual(
    manifests.map(({ name }) => name),
    ['good'],
  );
  assert.match(problems.join(), /bad\/build\.json cannot be read: .*remove the folder/s);
  await assert.rejects(findBuild('bad', buildsDirectory), /bad\/build\.json cannot be read/);
});

test('a folder without a manifest is no build, and is told of wherever its name is used', async (t) => {
  const { root, buildsDirectory } = await embeddedAndFolder(t);
  await addDirectory(root, { buildsDirectory, name: 'good' });
  await addDirectory(root, { buildsDirectory, name: 'pg18.0' });
  fs.rmSync(path.join(buildsDirectory, 'pg18.0', 'build.json'));
  const words = /pg18\.0 is no build: there is no build\.json in it; .*builds remove pg18\.0\) and/;
  for (const name of ['pg18.0', '18.0']) await refuses(findBuild(name, buildsDirectory), words);
  const { manifests, problems } = listManifests(buildsDirectory);
  assert.deepEqual(
    manifests.map(({ name }) => name),
    ['good'],
  );
  assert.match(problems.join(), words);
  await refuses(findBuild('pg18.9', buildsDirectory), /expected pg\S+ \(embedded\), good, or/);
  // What is said to do is enough.
  await removeBuilds(buildsDirectory, ['pg18.0']);
  await addDirectory(root, { buildsDirectory, name: 'pg18.0' });
  assert.equal((await findBuild('18.0', buildsDirectory)).name, 'pg18.0');
});

test('a folder of builds that cannot be made is named', async (t) => {
  const { root } = await embeddedAndFolder(t);
  const file = path.join(makeDirectory(t), 'file');
  fs.writeFileSync(file, '');
  await assert.rejects(
    addDirectory(root, { buildsDirectory: file }),
    /^UsageError: --builds-dir .*file is not a folder$/,
  );
});
