import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { UsageError } from '@ibench/core';
import {
  type Build,
  type Config,
  checkConfigOnBuild,
  defaultBuildsDirectory,
  findBuild,
  installNpmBuild,
  resolveConfig,
} from '@ibench/host';
import { configNames, readConfig } from '../src/read-config.ts';

/** The last release of each major but the embedded one's; kept in the default folder. */
const RELEASES = ['12.22', '13.23', '14.22', '15.17', '16.13', '17.9'];

/** Has lz4, which the builds from npm have not. */
const DEBIAN = '/usr/lib/postgresql/15';

/** Values that a build has only if it was compiled so, as it refuses them otherwise. */
const COMPILED_IN =
  /^config \S+ cannot be used with pg\S+:\n {2}.+: (wal_compression = lz4|io_method = io_uring): invalid value for parameter "\w+": "\w+"; Available values: [\w, ]+\.$/;

const NAMES = configNames();

const isFor = ({ versions }: Config, major: number) =>
  major >= versions.from && major <= versions.to;

/** Is the configuration taken? One that is not must lack a compiled-in choice and nothing else. */
async function isTaken(config: Config, build: Build): Promise<boolean> {
  const resolved = resolveConfig(config, { build, memoryBytes: 8 * 1024 ** 3 });
  try {
    await checkConfigOnBuild(resolved, build);
    return true;
  } catch (error) {
    assert.match((error as Error).message, COMPILED_IN);
    return false;
  }
}

/** Asks a build about every configuration: those that it takes, and those that want another build of it. */
async function askAbout(build: Build): Promise<{ taken: string[]; other: string[] }> {
  const major = Number.parseInt(build.version, 10);
  const answer = { taken: [] as string[], other: [] as string[] };
  for (const name of NAMES) {
    const config = readConfig(name);
    if (isFor(config, major)) {
      answer[(await isTaken(config, build)) ? 'taken' : 'other'].push(name);
    } else {
      const target = { build, memoryBytes: 8 * 1024 ** 3 };
      assert.throws(() => resolveConfig(config, target), UsageError, name);
    }
  }
  return answer;
}

const LZ4 = ['a1', 'a18', 'a21', 'a27'];
const ONLY_18 = NAMES.filter((name) => /^cx10[bcd]/.test(name));
const WITHOUT = (names: readonly string[]) => NAMES.filter((name) => !names.includes(name));

for (const version of RELEASES) {
  test(`every configuration that claims ${version} is taken by it`, async () => {
    const buildsDirectory = defaultBuildsDirectory(process.env);
    const { taken, other } = await askAbout(await installNpmBuild(version, { buildsDirectory }));
    assert.deepEqual(taken, WITHOUT([...LZ4, ...ONLY_18]));
    assert.deepEqual(other, Number.parseInt(version, 10) >= 15 ? LZ4 : []);
  });
}

test('every configuration that claims 18 is taken by the embedded build', async () => {
  const { taken, other } = await askAbout(await findBuild(undefined));
  const compiled = [...LZ4, 'cx10b_fpw0_wallz4', 'cx10b_wallz4', 'cx10d'];
  assert.deepEqual(taken, WITHOUT(compiled));
  assert.deepEqual(other, compiled);
});

const skip = fs.existsSync(DEBIAN) ? false : `there is no ${DEBIAN}`;
test('a build with lz4 takes the configurations that need it', { skip }, async () => {
  const build = await findBuild(DEBIAN);
  for (const name of LZ4) assert.equal(await isTaken(readConfig(name), build), true, name);
});
