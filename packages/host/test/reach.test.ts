import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { RunError, UsageError } from '@ibench/core';
import { execa } from 'execa';
import type { Build } from '../src/builds/build.ts';
import { findBuild } from '../src/builds/find-build.ts';
import {
  makeSocketDirectory,
  reachableBuild,
  reachableDataDirectory,
} from '../src/postgres/reach.ts';
import { openStateDirectory } from '../src/postgres/system-state.ts';
import { IS_ROOT, makeDirectory, SERVER_UID, startTestServer, USER } from './server-support.ts';

/** What root may do for another user is nothing that an ordinary user could try. */
const asRoot = IS_ROOT ? test : () => {};
const asOrdinaryUser = IS_ROOT ? () => {} : test;

/** The embedded build below a directory that only root may enter. */
async function closedBuild(t: Parameters<typeof makeDirectory>[0]): Promise<Build> {
  const closed = makeDirectory(t, 0o700);
  const build = await findBuild(undefined);
  const root = path.join(closed, "it's a build");
  await execa('cp', ['-a', build.root, root]);
  return { ...build, root };
}

function everythingIn(directory: string): string[] {
  return fs
    .readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(directory, name));
}

test('what the server can reach is used as it is', async (t) => {
  const build = await findBuild(undefined);
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const state = path.join(makeDirectory(t), 'state');
  assert.equal(await reachableBuild(build, null, say, state), build);
  const runDirectory = makeDirectory(t);
  const wanted = path.join(runDirectory, 'data');
  assert.equal(await reachableDataDirectory({ wanted, runDirectory }, USER, say, state), wanted);
  const { mode, uid } = fs.statSync(wanted);
  assert.deepEqual([mode & 0o7777, uid], [0o700, SERVER_UID]);
  assert.deepEqual(said, []);
  assert.equal(fs.existsSync(state), false);
});

test('a data directory that exists, or cannot be made, is an error and left as it is', async (t) => {
  const runDirectory = makeDirectory(t);
  const wanted = path.join(runDirectory, 'data');
  fs.mkdirSync(wanted);
  fs.writeFileSync(path.join(wanted, 'precious'), '');
  await assert.rejects(
    reachableDataDirectory({ wanted, runDirectory }, USER, () => {}),
    (error: Error) =>
      error instanceof RunError && error.message.includes(`${wanted} is there already`),
  );
  assert.deepEqual(fs.readdirSync(wanted), ['precious']);
  const below = path.join(wanted, 'precious', 'data');
  await assert.rejects(
    reachableDataDirectory({ wanted: below, runDirectory }, USER, () => {}),
    (error: Error) =>
      error instanceof UsageError && /^--data-dir .*precious is not a folder$/.test(error.message),
  );
});

asOrdinaryUser('without permission to make the data directory the message says so', async (t) => {
  const runDirectory = makeDirectory(t, 0o555);
  const wanted = path.join(runDirectory, 'data');
  await assert.rejects(
    reachableDataDirectory({ wanted, runDirectory }, null, () => {}),
    /cannot be made: EACCES/,
  );
});

test("the socket's directory is private to the server's user, and its path short and plain", async (t) => {
  const outer = makeDirectory(t);
  const before = process.env.TMPDIR;
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  const bases = [
    os.tmpdir(),
    path.join(outer, "it's, a test"),
    path.join(outer, 'x'.repeat(90)),
    path.join(outer, 'closed'),
    path.join(outer, 'missing'),
  ];
  for (const base of bases) {
    if (!base.endsWith('missing')) fs.mkdirSync(base, { recursive: true });
    if (base.endsWith('closed')) fs.chmodSync(base, IS_ROOT ? 0o700 : 0o000);
    process.env.TMPDIR = base;
    const directory = await makeSocketDirectory(USER);
    const { mode, uid } = fs.statSync(directory);
    fs.rmdirSync(directory);
    assert.deepEqual([mode & 0o7777, uid], [0o700, SERVER_UID]);
    assert.match(directory, /^\/[\w./+-]{1,80}\/ibench-\w{6}$/);
    if (base.endsWith('closed')) fs.chmodSync(base, 0o700);
    if (base !== os.tmpdir() && fs.existsSync(base)) assert.deepEqual(fs.readdirSync(base), []);
  }
});

asRoot('a closed build is copied once, and the copy is only root’s to change', async (t) => {
  const build = await closedBuild(t);
  const state = path.join(makeDirectory(t), 'state');
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const umask = process.umask(0o077);
  t.after(() => process.umask(umask));
  fs.chmodSync(path.join(build.root, 'bin', 'initdb'), 0o4777);
  const reached = await reachableBuild(build, USER, say, state);
  assert.equal(said.length, 1);
  assert.match(
    said[0] as string,
    /^user \S+ cannot run what is in .*it's a build: copying the build to /,
  );
  assert.deepEqual(fs.readdirSync(path.join(state, 'builds')), [path.basename(reached.root)]);
  for (const file of [state, path.join(state, 'builds'), ...everythingIn(reached.root)]) {
    const stat = fs.lstatSync(file);
    assert.equal(stat.uid, 0, file);
    if (stat.isSymbolicLink()) continue;
    assert.equal(stat.mode & 0o6022, 0, file);
    assert.equal(stat.mode & 0o044, 0o044, file);
    if (stat.isDirectory()) assert.equal(stat.mode & 0o011, 0o011, file);
  }
  const made = fs.statSync(reached.root).ino;
  const again = await reachableBuild(build, USER, say, state);
  assert.equal(again.root, reached.root);
  assert.equal(fs.statSync(again.root).ino, made);
  assert.equal(said.length, 1);
});

asRoot('the server runs from the copy of a closed build', async (t) => {
  const build = await closedBuild(t);
  const state = path.join(makeDirectory(t), 'state');
  const copy = await reachableBuild(build, USER, () => {}, state);
  const server = await startTestServer(t, { build: copy });
  const program = fs.readlinkSync(`/proc/${server.pid}/exe`);
  assert.equal(program, path.join(fs.realpathSync(copy.root), 'bin', 'postgres'));
});

asRoot('two runs that copy at once get the same whole copy', async (t) => {
  const build = await closedBuild(t);
  const state = path.join(makeDirectory(t), 'state');
  const both = await Promise.all([1, 2, 3].map(() => reachableBuild(build, USER, () => {}, state)));
  assert.equal(new Set(both.map(({ root }) => root)).size, 1);
  assert.equal(fs.readdirSync(path.join(state, 'builds')).length, 1);
});

asRoot('a copy that is damaged or half-made is replaced', async (t) => {
  const build = await closedBuild(t);
  const state = path.join(makeDirectory(t), 'state');
  const { root } = await reachableBuild(build, USER, () => {}, state);
  const victim = path.join(root, 'bin', 'initdb');
  const damages = [
    () => fs.rmSync(victim),
    () => fs.writeFileSync(victim, 'evil', { mode: 0o755 }),
    () => fs.appendFileSync(path.join(root, 'share', 'extra'), ''),
  ];
  for (const damage of damages) {
    damage();
    const said: string[] = [];
    const repaired = await reachableBuild(build, USER, (text) => said.push(text), state);
    // A copy that cannot run is noticed, and so is one that can.
    assert.equal(repaired.root, root);
    assert.equal(said.length, 1);
    assert.deepEqual(
      fs.readFileSync(victim),
      fs.readFileSync(path.join(build.root, 'bin', 'initdb')),
    );
    assert.equal(fs.existsSync(path.join(root, 'share', 'extra')), false);
    assert.deepEqual(fs.readdirSync(path.join(state, 'builds')), [path.basename(root)]);
  }
});

asRoot('nothing is run from a directory that others could have changed', async (t) => {
  const build = await closedBuild(t);
  const outer = makeDirectory(t);
  const state = path.join(outer, 'state');
  const openings = [
    () => fs.chmodSync(state, 0o777),
    () => fs.chmodSync(state, 0o775),
    () => fs.chownSync(state, SERVER_UID, 0),
    () => fs.chownSync(outer, SERVER_UID, 0),
  ];
  for (const open of openings) {
    fs.mkdirSync(state, { recursive: true, mode: 0o755 });
    open();
    await assert.rejects(
      reachableBuild(build, USER, () => {}, state),
      (error: Error) =>
        error instanceof RunError && /can be changed by others than root/.test(error.message),
    );
    fs.rmSync(state, { recursive: true });
  }
});

asRoot(
  'a link on the way to the directory of copies is followed before it is judged',
  async (t) => {
    const outer = makeDirectory(t);
    const elsewhere = path.join(outer, 'elsewhere');
    fs.mkdirSync(elsewhere);
    fs.chownSync(elsewhere, SERVER_UID, 0);
    fs.symlinkSync(elsewhere, path.join(outer, 'state'));
    assert.throws(
      () => openStateDirectory(path.join(outer, 'state', 'builds')),
      /elsewhere \(owner/,
    );
  },
);

asRoot(
  'data in a run’s folder that is closed goes to root’s directory, owned by the server',
  async (t) => {
    const closed = makeDirectory(t, 0o700);
    const runDirectory = path.join(closed, '20260102-030405-abcd');
    fs.mkdirSync(runDirectory);
    const state = path.join(makeDirectory(t), 'state');
    const said: string[] = [];
    const wanted = path.join(runDirectory, 'data');
    const place = { wanted, runDirectory };
    const got = await reachableDataDirectory(place, USER, (text) => said.push(text), state);
    assert.equal(got, path.join(fs.realpathSync(state), 'data', '20260102-030405-abcd'));
    const { mode, uid } = fs.statSync(got);
    assert.deepEqual([mode & 0o7777, uid], [0o700, SERVER_UID]);
    assert.deepEqual(fs.readdirSync(runDirectory), []);
    assert.deepEqual(said, [
      `user ${USER?.name} cannot enter ${closed}: the server's data is in ${got}`,
    ]);
  },
);

asRoot('a place that was named for the data is never replaced by another', async (t) => {
  const closed = makeDirectory(t, 0o700);
  const place = { wanted: path.join(closed, 'disk', 'data'), runDirectory: makeDirectory(t) };
  await assert.rejects(
    reachableDataDirectory(place, USER, () => {}),
    (error: Error) =>
      error instanceof RunError && error.message.includes(`cannot enter ${closed}: open it`),
  );
});
